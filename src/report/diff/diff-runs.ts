import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import type { MethodRecord } from '../../records.ts'
import { plural } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { smallestOf, testPairs, type TestedPair } from '../compare/compare-family.ts'
import { alpha, sharedPair, type SharedPair } from '../compare/compare-pair.ts'
import { chooseMetric } from '../compare/rows-to-compare.ts'
import { lossTest, type LossTest } from '../compare/t-tests.ts'
import {
  documentChanges,
  incomparableBecause,
  rowDifferences,
  runDifferences,
  type DocumentChanges,
  type SettingDifference,
} from '../differences.ts'
import type { IndexVariance } from '../gather/estimate.ts'
import type { ScoredSide } from '../gather/observations.ts'
import { readRun, type ChosenMetric, type DiffSide, type Outcome, type ReadRun } from '../gather/outcomes.ts'
import { runOfRow, syntheticNotes } from '../synthetic.ts'
import { pairRows } from './pair-rows.ts'
import { questionChanges, type Change, type QuestionChanges, type RowOutcomes } from './question-changes.ts'

/** Two runs, or two rows, compared by question. */
export interface RunDiff extends ChosenMetric {
  readonly before: string
  readonly after: string
  /** Level of the tests, after correction over rows. */
  readonly alpha: number
  /** Acceptable loss as a fraction; null: none given. */
  readonly margin: number | null
  readonly differences: readonly SettingDifference[]
  /** Changed documents; absent for equal datasets; null: the runs do not record their documents. */
  readonly documents?: DocumentChanges['names'] | null
  /** Why the scores cannot be compared; empty where they can. */
  readonly incomparable: readonly string[]
  /** One line per run with questions that a language model drafted. */
  readonly synthetic: readonly string[]
  /** Names of runs that are incomplete. */
  readonly unfinished: readonly string[]
  readonly rows: readonly RowDiff[]
  /** Rows of one run only, and rows without a score. */
  readonly onlyBefore: readonly string[]
  readonly onlyAfter: readonly string[]
  readonly notScored: readonly string[]
}

/** A manifest row without its options. */
export type NamedRow = Pick<MethodRecord, 'method' | 'variant' | 'id'>

/** `name`: both names where they differ. */
export interface RowDiff extends QuestionChanges {
  readonly name: string
  readonly before: NamedRow
  readonly after: NamedRow
  readonly differences: readonly SettingDifference[]
  readonly counts: Readonly<Record<Change, number>>
  readonly verdict: Verdict
  /** Why the verdict is `none`. */
  readonly reason?: string
  /** Null where nothing can be tested. */
  readonly test: RowTest | null
}

/** `none`: no conclusion is possible. `no difference shown` does not mean equal. */
export type Verdict = 'worse' | 'better' | 'no difference shown' | 'none'

/** After minus before, on questions with both scores. */
export interface RowTest extends Omit<TestedPair, 'means'> {
  readonly means: { readonly before: number; readonly after: number }
  /** Smallest corrected p with so many clusters. */
  readonly smallestP: number
  /** Set with a margin; uncorrected, since a change passes only if every row passes. */
  readonly lost?: LossTest
  /** Between-index variance, where repeats have their own indexes. */
  readonly luck?: IndexVariance
}

/**
 * Compares two runs or rows on one metric; the margin defaults to that of the config. Keeps digests of texts only.
 * Throws UserError for unknown rows and metrics.
 */
export async function diffRuns(
  before: DiffSide,
  after: DiffSide,
  metricName?: string,
  requestedMargin?: number,
): Promise<RunDiff> {
  const margin = requestedMargin ?? after.manifest.compare?.margin ?? before.manifest.compare?.margin ?? null
  const { pairs, onlyBefore, onlyAfter } = pairRows(before, after)
  // of a series: the runs that hold the first pair
  const first = itemAt(pairs, 0)
  const oldRun = runOfRow(before.manifest, first.before)
  const newRun = runOfRow(after.manifest, first.after)
  const byText = oldRun.dataset.checksum !== newRun.dataset.checksum
  const documents = byText ? documentChanges(oldRun, newRun) : undefined
  const rowsOf = (side: 'before' | 'after') => pairs.map((pair) => pair[side])
  const old = await readRun(before, rowsOf('before'), documents)
  const now = await readRun(after, rowsOf('after'), documents)
  const common = before.manifest.scorers.filter(({ scorer }) =>
    after.manifest.scorers.some((twin) => twin.scorer === scorer),
  )
  const metric = chooseMetric(metricName, common, [...old.cells, ...now.cells])
  const ranges = common.find(({ scorer }) => scorer === metric.scorer)?.ranges
  const comparedRows = pairs.map((pair): ComparedRow => {
    const sides = [outcomesIn(old, pair.before, metric), outcomesIn(now, pair.after, metric)] as const
    const changes = questionChanges(...sides, { least: rangeOf(metric.metric, ranges)[0], byText })
    return { ...pair, sides, changes, name: [...new Set([pair.before, pair.after].map(rowName))].join(' → ') }
  })
  const scoredRows = comparedRows.filter(({ sides }) => sides.some(hasScores))
  const incomparable = incomparableBecause(oldRun, newRun, metric.scorer)
  if (scoredRows.length === 0)
    throw new UserError(
      [`no question that both runs asked has a score of ${metric.scorer}.${metric.metric}`, ...incomparable].join('; '),
    )
  const tests = incomparable.length > 0 ? [] : testRows(scoredRows, before.manifest.seed, margin)
  return {
    before: before.name,
    after: after.name,
    ...metric,
    alpha,
    margin,
    differences: runDifferences(oldRun, newRun, metric.scorer),
    ...(byText && { documents: documents?.names ?? null }),
    incomparable,
    synthetic: [...new Set([before, after].flatMap(syntheticNotesOf))],
    unfinished: [before, after].flatMap(({ name, manifest }) => (manifest.finished === null ? [name] : [])),
    rows: scoredRows.map((row, index) => rowDiffOf(row, tests[index] ?? null, incomparable[0])),
    onlyBefore,
    onlyAfter,
    notScored: comparedRows.filter((row) => !scoredRows.includes(row)).map(({ name }) => name),
  }
}

const syntheticNotesOf = ({ name, manifest }: DiffSide): readonly string[] =>
  syntheticNotes(manifest).map((note) => `${name}: ${note}`)

/** A row of both runs with its outcomes and the changes of its questions. */
interface ComparedRow extends Readonly<Record<'before' | 'after', MethodRecord>> {
  readonly name: string
  readonly sides: readonly [before: RowOutcomes, after: RowOutcomes]
  readonly changes: QuestionChanges
}

const outcomesIn = (run: ReadRun, row: MethodRecord, metric: ChosenMetric): RowOutcomes => ({
  questions: run.questions,
  outcomes: run.outcomesOf(row, metric),
  touching: (question) => run.touching(row, question),
})

const hasScores = ({ outcomes }: RowOutcomes): boolean =>
  [...outcomes.values()].some(({ score, failed }: Outcome) => score !== null || failed)

function rowDiffOf(
  { name, before, after, changes }: ComparedRow,
  test: RowTest | null,
  incomparable: string | undefined,
): RowDiff {
  const namedRow = ({ method, variant, id }: MethodRecord): NamedRow => ({ method, variant, id })
  const counts = { ...noChanges }
  for (const { change } of changes.questions) counts[change]++
  return {
    name,
    before: namedRow(before),
    after: namedRow(after),
    differences: rowDifferences(before, after),
    ...changes,
    counts,
    ...conclude(test, incomparable),
    test,
  }
}

const noChanges = { regressed: 0, failedNow: 0, fixed: 0, failedBefore: 0, stillFailing: 0, notScored: 0, unchanged: 0 }

function conclude(test: RowTest | null, incomparable: string | undefined): Pick<RowDiff, 'verdict' | 'reason'> {
  if (!test) return { verdict: 'none', reason: incomparable ?? 'no question has a score before and after' }
  const { difference, pAdjusted, smallestP, questions, clusters } = test
  if (smallestP > alpha) {
    const units = clusters < questions ? `${plural(clusters, 'cluster')} of questions` : plural(questions, 'question')
    return { verdict: 'none', reason: `no test can reach p = ${alpha} with ${units}` }
  }
  if (pAdjusted > alpha || difference === 0) return { verdict: 'no difference shown' }
  return { verdict: difference < 0 ? 'worse' : 'better' }
}

/** One test per row, corrected together; null for a row without a common score. */
function testRows(rows: readonly ComparedRow[], seed: number, margin: number | null): readonly (RowTest | null)[] {
  const pairs = rows.map(pairOf)
  const sharedPairs = pairs.flatMap((pair) => pair ?? [])
  if (sharedPairs.length === 0) return []
  const family = testPairs(sharedPairs, seed)
  return pairs.map((pair): RowTest | null => {
    if (!pair) return null
    const { x: after, y: before, clusters, isByT, estimate, indexVariance } = pair
    const { means, ...test } = itemAt(family.pairs, sharedPairs.indexOf(pair))
    return {
      ...test,
      smallestP: Math.max(isByT ? 0 : smallestOf(test.clusters), family.smallestP),
      means: { before: means.b, after: means.a },
      ...(margin !== null && { lost: lossTest(after, before, clusters, margin, isByT ? estimate : undefined) }),
      ...(indexVariance && { luck: indexVariance }),
    }
  })
}

/** Scores after and before on common questions. */
function pairOf({ changes: { questions }, sides: [before, after] }: ComparedRow): SharedPair<string> | undefined {
  const sideOf = (side: 'before' | 'after', { outcomes }: RowOutcomes): ScoredSide<string> => {
    const scores = questions.flatMap(({ id, [side]: score }) => (score === null ? [] : [[id, score] as const]))
    const repeats = questions.flatMap(({ id, afterId = id }) => {
      const values = outcomes.get(side === 'after' ? afterId : id)?.repeats
      return values ? [[id, values] as const] : []
    })
    return { scores: new Map(scores), ...(repeats.length > 0 && { repeats: new Map(repeats) }) }
  }
  const clusterOf = (id: string): string => before.questions.get(id)?.cluster ?? `question ${id}`
  return sharedPair(sideOf('after', after), sideOf('before', before), clusterOf)
}
