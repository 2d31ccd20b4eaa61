import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import type { MethodRecord } from '../../records.ts'
import { plural } from '../../text/amounts.ts'
import { rowName, findRow } from '../../text/names.ts'
import { smallestOf, testPairs } from '../compare/compare-family.ts'
import { alpha, sharedPair } from '../compare/compare-pair.ts'
import { chooseMetric } from '../compare/rows-to-compare.ts'
import { lossTest } from '../compare/t-tests.ts'
import { documentChanges, incomparableBecause, rowDifferences, runDifferences } from '../differences.ts'
import { readRun, type DiffSide, type Outcome } from '../gather/outcomes.ts'
import { runOfRow, syntheticNotes } from '../synthetic.ts'
import { matchQuestions, questionChanges, type Outcomes, type QuestionChanges } from './question-changes.ts'

/** Two runs, or two rows, compared by question. */
export type RunDiff = Awaited<ReturnType<typeof diffRuns>>
export type RowDiff = RunDiff['rows'][number]
export type RowTest = NonNullable<ReturnType<typeof testRows>[number]>

/**
 * Compares two runs or rows on one metric; the margin defaults to that of the config. Keeps digests of texts only.
 * Throws UserError for unknown rows and metrics.
 */
export async function diffRuns(before: DiffSide, after: DiffSide, metricName?: string, requestedMargin?: number) {
  const margin = requestedMargin ?? after.manifest.compare?.margin ?? before.manifest.compare?.margin ?? null
  const { pairs, onlyBefore, onlyAfter } = pairRows(before, after)
  // of a series: the runs that hold the first pair
  const first = itemAt(pairs, 0)
  const oldRun = runOfRow(before.manifest, first.before)
  const newRun = runOfRow(after.manifest, first.after)
  const byText = oldRun.dataset.checksum !== newRun.dataset.checksum
  const rowsOf = (side: 'before' | 'after') => pairs.map((pair) => pair[side])
  const old = await readRun(before, rowsOf('before'))
  const now = await readRun(after, rowsOf('after'))
  const matches = matchQuestions([old, now], byText)
  const common = before.manifest.scorers.filter(({ scorer }) =>
    after.manifest.scorers.some((twin) => twin.scorer === scorer),
  )
  const metric = chooseMetric(metricName, common, [...old.cells, ...now.cells])
  const [least] = rangeOf(metric.metric, common.find(({ scorer }) => scorer === metric.scorer)?.ranges)
  const comparedRows = pairs.map((pair) => {
    const oldOutcomes = old.outcomesOf(pair.before, metric)
    const newOutcomes = now.outcomesOf(pair.after, metric)
    const changes = questionChanges(oldOutcomes, newOutcomes, matches, least)
    const name = [...new Set([pair.before, pair.after].map(rowName))].join(' → ')
    return { ...pair, name, old: oldOutcomes, now: newOutcomes, changes }
  })
  const scoredRows = comparedRows.filter((row) =>
    [...row.old.values(), ...row.now.values()].some(({ score, failed }) => score !== null || failed),
  )
  const incomparable = incomparableBecause(oldRun, newRun, metric.scorer)
  if (scoredRows.length === 0)
    throw new UserError(
      [`no question that both runs asked has a score of ${metric.scorer}.${metric.metric}`, ...incomparable].join('; '),
    )
  const tests = incomparable.length > 0 ? [] : testRows(scoredRows, before.manifest.seed, margin)
  const sides = [before, after]
  return {
    before: before.name,
    after: after.name,
    ...metric,
    // level of the tests, after correction over rows
    alpha,
    // acceptable loss as a fraction; null: none given
    margin,
    differences: runDifferences(oldRun, newRun, metric.scorer),
    // changed documents; undefined for equal datasets; null: the runs do not record their documents
    documents: byText ? documentChanges(oldRun, newRun) : undefined,
    // why the scores cannot be compared; empty where they can
    incomparable,
    // one line per run with questions that a language model drafted
    synthetic: [...new Set(sides.flatMap(namedNotes))],
    // names of incomplete runs
    unfinished: sides.flatMap(({ name, manifest }) => (manifest.finished === null ? [name] : [])),
    rows: scoredRows.map(({ name, changes, ...row }, index) => {
      const test = tests[index] ?? null
      const counts = { ...noChanges }
      for (const { change } of changes.questions) counts[change]++
      return {
        name,
        before: namedRow(row.before),
        after: namedRow(row.after),
        differences: rowDifferences(row.before, row.after),
        ...changes,
        counts,
        ...conclude(test, incomparable[0]),
        // null where nothing can be tested
        test,
      }
    }),
    onlyBefore,
    onlyAfter,
    notScored: comparedRows.flatMap((row) => (scoredRows.includes(row) ? [] : [row.name])),
  }
}

const namedNotes = ({ name, manifest }: DiffSide) => syntheticNotes(manifest).map((note) => `${name}: ${note}`)

/** A manifest row without its options. */
const namedRow = ({ method, variant, id }: MethodRecord) => ({ method, variant, id })

const noChanges = {
  regressed: 0,
  failedNow: 0,
  fixed: 0,
  failedBefore: 0,
  stillFailing: 0,
  notScored: 0,
  unchanged: 0,
}

/** `none`: no conclusion is possible, and why. `no difference shown` does not mean equal. */
interface Conclusion {
  readonly verdict: 'worse' | 'better' | 'no difference shown' | 'none'
  readonly reason?: string
}

function conclude(test: RowTest | null, incomparable: string | undefined): Conclusion {
  if (!test) return { verdict: 'none', reason: incomparable ?? 'no question has a score before and after' }
  const { difference, pAdjusted, smallestP, questions, clusters } = test
  if (smallestP > alpha) {
    const units = clusters < questions ? `${plural(clusters, 'cluster')} of questions` : plural(questions, 'question')
    return { verdict: 'none', reason: `no test can reach p = ${alpha} with ${units}` }
  }
  if (pAdjusted > alpha || difference === 0) return { verdict: 'no difference shown' }
  return { verdict: difference < 0 ? 'worse' : 'better' }
}

/** A row of both runs with the changes of its questions. */
interface ComparedRow {
  readonly old: Outcomes
  readonly now: Outcomes
  readonly changes: QuestionChanges
}

/**
 * One test per row of the scores after minus before, corrected together; null for a row without a common score.
 * `smallestP`: smallest corrected p with so many clusters; `lost`: set with a margin, and uncorrected, since a change
 * passes only if every row passes.
 */
function testRows(rows: readonly ComparedRow[], seed: number, margin: number | null) {
  const pairs = rows.map(pairOf)
  const sharedPairs = pairs.flatMap((pair) => pair ?? [])
  if (sharedPairs.length === 0) return []
  const family = testPairs(sharedPairs, seed)
  return pairs.map((pair) => {
    if (!pair) return null
    const { isByT, estimate } = pair
    const { means, ...test } = itemAt(family.pairs, sharedPairs.indexOf(pair))
    return {
      ...test,
      smallestP: Math.max(isByT ? 0 : smallestOf(test.clusters), family.smallestP),
      means: { before: means.b, after: means.a },
      lost: margin === null ? undefined : lossTest(estimate, test, margin),
    }
  })
}

/** Questions are numbered by their place. */
function pairOf({ changes: { questions }, old, now }: ComparedRow) {
  const before = questions.map(({ id, before: score }) => ({ score, outcome: old.get(id) }))
  const after = questions.map(({ id, afterId = id, after: score }) => ({ score, outcome: now.get(afterId) }))
  return sharedPair(sideOf(after), sideOf(before), (place) => itemAt(before, place).outcome?.cluster ?? place)
}

function sideOf(questions: readonly { readonly score: number | null; readonly outcome: Outcome | undefined }[]) {
  const scores = questions.flatMap(({ score }, place) => (score === null ? [] : [[place, score] as const]))
  const repeats = questions.flatMap(({ outcome }, place) =>
    outcome?.repeats ? [[place, outcome.repeats] as const] : [],
  )
  return { scores: new Map(scores), ...(repeats.length > 0 && { repeats: new Map(repeats) }) }
}

/**
 * The requested rows, or all rows of the same name, and the names that only one run has. Throws UserError for an
 * unknown row and where no row is common.
 */
function pairRows(before: DiffSide, after: DiffSide) {
  const name = before.row ?? after.row
  if (name !== undefined) {
    // report a wrong name for the side that the user wrote it for
    const early = before.row === undefined ? rowOf(name, after) : undefined
    const old = rowOf(name, before)
    return { pairs: [{ before: old, after: early ?? rowOf(after.row ?? name, after) }], onlyBefore: [], onlyAfter: [] }
  }
  const rowsIn = ({ manifest }: DiffSide) => new Map(manifest.methods.map((row) => [rowName(row), row]))
  const rowsBefore = rowsIn(before)
  const rowsAfter = rowsIn(after)
  const pairs = [...rowsBefore].flatMap(([label, row]) => {
    const later = rowsAfter.get(label)
    return later ? [{ before: row, after: later }] : []
  })
  const onlyBefore = [...rowsBefore.keys()].filter((label) => !rowsAfter.has(label))
  const onlyAfter = [...rowsAfter.keys()].filter((label) => !rowsBefore.has(label))
  if (pairs.length > 0) return { pairs, onlyBefore, onlyAfter }
  const lists = `${before.name}: ${onlyBefore.join(', ')}; ${after.name}: ${onlyAfter.join(', ')}`
  throw new UserError(`no row is in both runs; name two of them as FOLDER#row (${lists})`)
}

function rowOf(name: string, { name: run, manifest }: DiffSide): MethodRecord {
  const row = findRow(name, manifest.methods)
  if (typeof row === 'string') throw new UserError(`${run}: ${row}`)
  return row
}
