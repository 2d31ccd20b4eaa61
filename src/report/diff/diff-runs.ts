import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
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
import { readRun, type ChosenMetric, type DiffSide, type ReadRun } from '../gather/outcomes.ts'
import { pairRows } from './pair-rows.ts'
import {
  questionChanges,
  type Change,
  type QuestionChange,
  type QuestionChanges,
  type RowOutcomes,
} from './question-changes.ts'

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
  const tests = incomparable.length > 0 ? [] : testRows(scoredPairs, before.manifest.seed, margin)
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
export interface RowTest extends Omit<TestedPair, 'means'> {
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

/** The changes of a row's questions, and its outcomes before and after. */
interface ComparedRow {
  readonly changes: QuestionChanges
  readonly sides: readonly [before: RowOutcomes, after: RowOutcomes]
}

/** One test per row, corrected together; null for a row without a common score. */
function testRows(rows: readonly ComparedRow[], seed: number, margin: number | null): readonly (RowTest | null)[] {
  const pairs = rows.map(pairOf)
  const sharedPairs = pairs.flatMap((pair) => pair ?? [])
  if (sharedPairs.length === 0) return pairs.map(() => null)
  const family = testPairs(sharedPairs, seed)
  return pairs.map((pair): RowTest | null => {
    if (!pair) return null
    const { x: after, y: before, clusters, binary, isByT, estimate, indexVariance } = pair
    const { means, ...test } = itemAt(family.pairs, sharedPairs.indexOf(pair))
    // McNemar's test of a single row is exact
    const familySmallestP = binary && sharedPairs.length === 1 ? 0 : family.smallestP
    return {
      ...test,
      smallestP: Math.max(isByT ? 0 : smallestOf(test.clusters), familySmallestP),
      means: { before: means.b, after: means.a },
      ...(margin !== null && { lost: lossTest(after, before, clusters, margin, isByT ? estimate : undefined) }),
      ...(indexVariance && { luck: indexVariance }),
    }
  })
}

function verdictOf({ difference, pAdjusted, smallestP }: RowTest): Verdict {
  if (smallestP > alpha) return 'none'
  if (pAdjusted > alpha || difference === 0) return 'no difference shown'
  return difference < 0 ? 'worse' : 'better'
}

/** Scores after and before on common questions. */
function pairOf({ changes: { questions }, sides: [before, after] }: ComparedRow): SharedPair<string> | undefined {
  const sideOf = (side: 'before' | 'after', { outcomes }: RowOutcomes): ScoredSide<string> => {
    const sideScores = questions.flatMap(({ id, afterId = id, [side]: score }) =>
      score === null ? [] : [{ id, score, repeats: outcomes.get(side === 'after' ? afterId : id)?.repeats }],
    )
    const repeats = sideScores.flatMap(({ id, repeats: values }) => (values ? [[id, values] as const] : []))
    return {
      scores: new Map(sideScores.map(({ id, score }) => [id, score])),
      ...(repeats.length > 0 && { repeats: new Map(repeats) }),
    }
  }
  const clusterOf = (id: string): string => before.questions.get(id)?.cluster ?? `question ${id}`
  const pair = sharedPair(sideOf('after', after), sideOf('before', before), clusterOf)
  // equal scores give no estimate of the variance
  const isEqual = pair && !pair.isByT && pair.estimate.tie === pair.questions.length
  return isEqual ? { ...pair, estimate: { ...pair.estimate, error: null, degrees: null, low: null, high: null } } : pair
}
