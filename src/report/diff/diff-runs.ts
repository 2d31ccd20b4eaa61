import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { MethodRecord, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { testPairs, type TestedPair } from '../compare/compare-family.ts'
import { alpha, sharedPair, smallestOf, type ScoredSide, type SharedPair } from '../compare/compare-pair.ts'
import { chooseMetric } from '../compare/rows-to-compare.ts'
import { lossTest, type LossTest } from '../compare/t-tests.ts'
import { runOfRow, syntheticNotes } from '../synthetic.ts'
import type { IndexVariance } from '../gather/estimate.ts'
import {
  documentChanges,
  type DocumentChanges,
  incomparableBecause,
  rowDifferences,
  runDifferences,
  type SettingDifference,
} from '../differences.ts'
import {
  readRun,
  type ChosenMetric,
  type DiffSide,
  type Outcome,
  type QuestionFacts,
  type ReadRun,
} from '../gather/outcomes.ts'
import { pairRows } from './pair-rows.ts'
import { questionChanges, type Change, type QuestionChange, type QuestionChanges } from './question-changes.ts'

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
  /** Rows of one run only, and rows without a common score. */
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
  const [first] = pairs
  const oldRun = first ? runOfRow(before.manifest, first.before) : before.manifest
  const newRun = first ? runOfRow(after.manifest, first.after) : after.manifest
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
  const comparedPairs = pairs.map((pair) => {
    const sides = [sideOf(old, pair.before, metric), sideOf(now, pair.after, metric)] as const
    return {
      ...pair,
      sides,
      name: pairName(pair.before, pair.after),
      changes: questionChanges(...sides, { least: rangeOf(metric.metric, ranges)[0], byText }),
    }
  })
  const incomparable = incomparableBecause(oldRun, newRun, metric.scorer)
  const scoredPairs = comparedPairs.filter(
    ({ changes: { questions, missing }, sides: [{ outcomes }] }) =>
      questions.some(isScored) ||
      // the gate reports rows whose questions have all disappeared from the same dataset
      (incomparable.length === 0 && missing.some(({ id }) => outcomes.get(id)?.score != null)),
  )
  if (scoredPairs.length === 0) {
    const reasons = incomparable.map((reason) => `; ${reason}`).join('')
    throw new UserError(`no question that both runs asked has a score of ${metric.scorer}.${metric.metric}${reasons}`)
  }
  const rowQuestions = scoredPairs.map(({ changes: { questions }, sides: [{ outcomes }, { outcomes: later }] }) => ({
    questions,
    before: outcomes,
    after: later,
  }))
  const settings = { seed: before.manifest.seed, margin }
  const tests = incomparable.length > 0 ? [] : testRows(rowQuestions, old.questions, settings)
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
    rows: scoredPairs.map(({ name, before, after, changes }, index) => {
      const test = tests[index] ?? null
      return {
        name,
        before: namedRow(before),
        after: namedRow(after),
        differences: rowDifferences(before, after),
        ...changes,
        counts: countsOf(changes.questions),
        ...verdictWithReason(test, incomparable),
        test,
      }
    }),
    onlyBefore,
    onlyAfter,
    notScored: comparedPairs.filter((pair) => !scoredPairs.includes(pair)).map(({ name }) => name),
  }
}

const syntheticNotesOf = ({ name, manifest }: DiffSide): readonly string[] =>
  syntheticNotes(manifest).map((note) => `${name}: ${note}`)

const sideOf = (run: ReadRun, row: MethodRecord, metric: ChosenMetric) => ({
  questions: run.questions,
  outcomes: run.outcomesOf(row, metric),
  touching: (question: string) => run.touching(row, question),
})

/** Whether a side has a score or a failure. */
const isScored = ({ change, before, after }: QuestionChange): boolean =>
  change !== 'notScored' || before !== null || after !== null

const namedRow = ({ method, variant, id }: MethodRecord): NamedRow => ({ method, variant, id })

const pairName = (before: Row, after: Row): string => [...new Set([before, after].map(rowName))].join(' → ')

function countsOf(questions: readonly QuestionChange[]): Readonly<Record<Change, number>> {
  const counts: Record<Change, number> = { ...noChanges }
  for (const { change } of questions) counts[change]++
  return counts
}

const noChanges = { regressed: 0, failedNow: 0, fixed: 0, failedBefore: 0, stillFailing: 0, notScored: 0, unchanged: 0 }

function verdictWithReason(
  test: RowTest | null,
  [incomparable]: readonly string[],
): Pick<RowDiff, 'verdict' | 'reason'> {
  if (incomparable !== undefined) return { verdict: 'none', reason: incomparable }
  if (!test) return { verdict: 'none', reason: 'no question has a score before and after' }
  const verdict = verdictOf(test)
  if (verdict !== 'none') return { verdict }
  return { verdict, reason: `no test can reach p = ${alpha} ${unitsOf(test)}` }
}

const unitsOf = ({ questions, clusters }: RowTest): string =>
  clusters < questions ? `with ${clusters} clusters of questions` : `with ${questions} questions`

/** After minus before, on questions with both scores; the error is null where no score differs. */
export interface RowTest extends TestedPair {
  readonly questions: number
  readonly clusters: number
  readonly means: { readonly before: number; readonly after: number }
  /** Smallest corrected p with so many clusters. */
  readonly smallestP: number
  /** Set with a margin; uncorrected, since a change passes only if every row passes. */
  readonly lost?: LossTest
  /** Between-index variance, where repeats have their own indexes. */
  readonly luck?: IndexVariance
}

/** `none`: no conclusion is possible. `no difference shown` does not mean equal. */
export type Verdict = 'worse' | 'better' | 'no difference shown' | 'none'

/** Common questions of a pair, and the outcomes of each row. */
interface RowQuestions {
  readonly questions: readonly QuestionChange[]
  readonly before: ReadonlyMap<string, Outcome>
  readonly after: ReadonlyMap<string, Outcome>
}

/** One test per row, corrected together; null for a row without a common score. */
function testRows(
  rows: readonly RowQuestions[],
  questions: ReadonlyMap<string, QuestionFacts>,
  { seed, margin }: { readonly seed: number; readonly margin: number | null },
): readonly (RowTest | null)[] {
  const pairs = rows.map((row) => pairOf(row, questions))
  const sharedPairs = pairs.flatMap((pair) => pair ?? [])
  if (sharedPairs.length === 0) return pairs.map(() => null)
  const family = testPairs(sharedPairs, seed)
  return pairs.map((pair): RowTest | null => {
    if (!pair) return null
    const { x: after, y: before, clusters: names, binary, isByT, estimate, indexVariance } = pair
    const clusters = new Set(names).size
    // McNemar's test of a single row is exact
    const familySmallestP = binary && sharedPairs.length === 1 ? 0 : family.smallestP
    return {
      ...itemAt(family.pairs, sharedPairs.indexOf(pair)),
      smallestP: Math.max(isByT ? 0 : smallestOf(clusters), familySmallestP),
      questions: after.length,
      clusters,
      means: { before: mean(before), after: mean(after) },
      ...(margin !== null && { lost: lossTest(after, before, names, margin, isByT ? estimate : undefined) }),
      ...(indexVariance && { luck: indexVariance }),
    }
  })
}

function verdictOf({ difference, pAdjusted, smallestP }: RowTest): Verdict {
  if (smallestP > alpha) return 'none'
  if (pAdjusted > alpha || difference === 0) return 'no difference shown'
  return difference < 0 ? 'worse' : 'better'
}

/** Scores after and before on common questions, numbered in their order. */
function pairOf(row: RowQuestions, questions: ReadonlyMap<string, QuestionFacts>): SharedPair | undefined {
  const scoredQuestions = row.questions.flatMap(({ id, afterId = id, before, after }) =>
    before === null || after === null ? [] : [{ id, afterId, before, after }],
  )
  const sideOf = (scores: readonly number[], outcomes: readonly (Outcome | undefined)[]): ScoredSide => {
    const repeats = outcomes.flatMap((outcome, place) => (outcome?.repeats ? [[place, outcome.repeats] as const] : []))
    return { scores: new Map(scores.entries()), ...(repeats.length > 0 && { repeats: new Map(repeats) }) }
  }
  const pair = sharedPair(
    sideOf(
      scoredQuestions.map(({ after }) => after),
      scoredQuestions.map(({ afterId }) => row.after.get(afterId)),
    ),
    sideOf(
      scoredQuestions.map(({ before }) => before),
      scoredQuestions.map(({ id }) => row.before.get(id)),
    ),
    (place) => {
      const { id } = itemAt(scoredQuestions, place)
      return questions.get(id)?.cluster ?? `question ${id}`
    },
  )
  // equal scores give no estimate of the variance
  const isEqual = pair && !pair.isByT && pair.estimate.tie === scoredQuestions.length
  return isEqual ? { ...pair, estimate: { ...pair.estimate, error: null, degrees: null, low: null, high: null } } : pair
}
