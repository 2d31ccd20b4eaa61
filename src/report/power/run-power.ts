import { UserError } from '../../errors.ts'
import type { IndexLine, Manifest, MethodRecord, TrialLine } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { baselineIn, comparedMetric, isRow, pairsAmong, rowsToCompare } from '../compare/rows-to-compare.ts'
import { costsOfRun, type RunCosts, type RunSize } from '../table/costs-of-run.ts'
import { gatherScores } from '../table/gather-scores.ts'
import { gatherTrials } from '../table/gather-trials.ts'
import type { Journals } from '../table/table.ts'
import { pairEstimate, type DifferenceWanted, type Needed, type PairEstimate, type PilotRow } from './pair-power.ts'

/** What a difference needs, and if the pilot's variance is wrong; Infinity (null in JSON): no number would do. */
interface NeededQuestions extends Needed {
  readonly low: number
  readonly high: number
}

/** Two rows by their names, and what the pilot says of them, or why it says nothing. */
export type PairPower = { readonly a: string; readonly b: string } & (
  | ({ readonly reason: null; readonly needed: NeededQuestions } & Omit<PairEstimate, 'needed'>)
  | { readonly reason: string }
)

/** A size of run with which every pair finds the difference; `cheapest` by dollars, else by tokens. */
interface PowerPlan extends Needed, RunSize {
  readonly cheapest: boolean
  /** Of the rows of these pairs together. */
  readonly costs: RunCosts
}

/** What a run says of the size of run that a difference needs. */
export interface RunPower extends DifferenceWanted {
  readonly scorer: string
  readonly metric: string
  readonly alternative: 'two-sided' | 'greater' | 'less'
  /** Whether the scorer asks a judge. */
  readonly judged: boolean
  /** Of the pilot. */
  readonly repeats: number
  readonly judgeRuns: number
  readonly asked: number
  /** Those of the pairs of which something can be estimated. */
  readonly rows: readonly string[]
  readonly pairs: readonly PairPower[]
  /** The pair that needs most questions with the pilot's repeats and judge runs; null without an estimate. */
  readonly needsMost: readonly [string, string] | null
  readonly plans: readonly PowerPlan[]
}

/**
 * The power for the pairs that the table compares, or of the rows named. Throws UserError without two rows or a metric.
 */
export async function runPower(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  wanted: DifferenceWanted,
  named?: readonly MethodRecord[],
): Promise<RunPower> {
  const { alternative = 'two-sided' } = manifest.compare ?? {}
  const baseline = baselineIn(manifest)
  const rows = named ?? rowsToCompare(manifest)
  if (rows.length < 2)
    throw new UserError(
      'power is that of a comparison: this run has fewer than two rows to compare; name two with --rows',
    )
  const questions = new Map(rows.map(({ id }) => [id, new Set<string>()]))
  async function* noted(lines: ReturnType<Journals['trials']>): AsyncGenerator<IndexLine | TrialLine> {
    for await (const line of lines) {
      if (line.line === 'trial') questions.get(line.methodId)?.add(line.question.id)
      yield line
    }
  }
  const trials = await gatherTrials(manifest, noted(journals.trials()))
  const scores = await gatherScores(manifest, journals.scores(), trials)
  const chosen = comparedMetric(manifest, scores.cells)
  if (!chosen) throw new UserError('no row has a score to compare: let the run end first')
  const { scorer, metric } = chosen
  const twoSided = { ...wanted, alpha: alternative === 'two-sided' ? wanted.alpha : 2 * wanted.alpha }
  const pilotOf = ({ id }: MethodRecord): PilotRow => ({
    scores: scores.byQuestion(id, scorer.id, metric),
    hasOwnIndexes: scores.hasOwnIndexes(id),
  })
  const base = named ? undefined : rows.find((row) => baseline && isRow(row, baseline))
  const found = pairsAmong(rows, base).map(([first, second]) => ({
    rows: [first, second],
    ...{ a: rowName(first), b: rowName(second) },
    estimate: pairEstimate(pilotOf(first), pilotOf(second), scores.questions.clusterOf, twoSided, manifest.seed),
  }))

  const estimates = found.flatMap(({ estimate }) => (typeof estimate === 'string' ? [] : [estimate]))
  const repeats = Math.max(1, ...estimates.map((one) => one.repeats))
  const judgeRuns = scorer.judge ? Math.max(1, ...estimates.map((one) => one.judgeRuns)) : manifest.judgeRuns
  const pairs = found.map(({ a, b, estimate }): PairPower => {
    if (typeof estimate === 'string') return { a, b, reason: estimate }
    const { needed, ...known } = estimate
    const [low, high] = known.factors.map((factor) => needed(repeats, judgeRuns, factor).questions)
    const needs = { ...needed(repeats, judgeRuns), low: low ?? NaN, high: high ?? NaN }
    return { a, b, reason: null, ...known, needed: needs }
  })
  const known = found.flatMap(({ estimate, ...pair }) => (typeof estimate === 'string' ? [] : [{ ...pair, estimate }]))
  const questionsOf = ({ estimate }: (typeof known)[number]): number => estimate.needed(repeats, judgeRuns).questions
  const most = [...known].sort((x, y) => questionsOf(y) - questionsOf(x))[0]
  const used = rows.filter((row) => known.some((pair) => pair.rows.includes(row)))
  const asked = Math.max(0, ...used.map(({ id }) => questions.get(id)?.size ?? 0))
  return {
    ...wanted,
    ...{ scorer: scorer.scorer, metric, alternative, judged: scorer.judge, repeats, judgeRuns, asked },
    ...{ rows: used.map(rowName), pairs, needsMost: most ? [most.a, most.b] : null },
    plans: plansFor(
      estimates,
      { repeats, judgeRuns, asked },
      costsOfRun({ ...manifest, judgeRuns }, used, trials, scores),
    ),
  }
}

/** More repeats or judge runs instead of questions, where the pilot says what they vary. */
function plansFor(
  pairs: readonly PairEstimate[],
  pilot: RunSize,
  costs: ReturnType<typeof costsOfRun>,
): readonly PowerPlan[] {
  if (pairs.length === 0) return []
  const isKnown = (noise: 'repeats' | 'judgeRuns'): boolean => pairs.every(({ variance }) => variance[noise] !== null)
  const counts = (noise: 'repeats' | 'judgeRuns', some: readonly number[]): readonly number[] =>
    isKnown(noise) ? [...new Set([...some, pilot[noise]])].sort((x, y) => x - y) : [pilot[noise]]
  // a table of fewer than three indexes leaves their luck out of its tests
  const isLucky = pairs.some(({ luck }) => luck?.needed != null)
  const plans = counts('repeats', isLucky ? [3, 5, 10, 20] : [1, 2, 3, 5]).flatMap((repeats) =>
    counts('judgeRuns', [1, 2, 3]).flatMap((judgeRuns) => {
      const needs = pairs.map(({ needed, questions }) => ({ ...needed(repeats, judgeRuns), share: questions }))
      if (!needs.every(({ questions }) => Number.isFinite(questions))) return []
      const most = needs.reduce((one, other) => (other.questions > one.questions ? other : one))
      // questions that have no score in both rows are asked too
      const asked = Math.max(...needs.map(({ questions, share }) => Math.ceil((questions * pilot.asked) / share)))
      const size = { asked, repeats, judgeRuns }
      return [{ questions: most.questions, clusters: most.clusters, ...size, costs: costs(size) }]
    }),
  )
  const orderOf = ({ costs: spent, asked, repeats, judgeRuns }: (typeof plans)[number]): readonly number[] => [
    spent.usd ?? spent.tokens,
    spent.calls,
    asked * repeats * judgeRuns,
  ]
  const [first] = plans
  const cheapest = first && plans.reduce((one, other) => (isLess(orderOf(other), orderOf(one)) ? other : one))
  return plans.map((plan) => ({ ...plan, cheapest: plans.length > 1 && plan === cheapest }))
}

/** In the order of a dictionary. */
function isLess(first: readonly number[], second: readonly number[]): boolean {
  const place = first.findIndex((value, i) => value !== second[i])
  return place >= 0 && (first[place] ?? 0) < (second[place] ?? 0)
}
