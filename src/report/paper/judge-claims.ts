import { itemAt } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import type { Manifest, Row } from '../../records.ts'
import { alpha, comparePair, scoredSide, type ComparedPair } from '../compare/compare-pair.ts'
import { valuesByRepeat, type QuestionNumbers, type QuestionScores } from '../gather/estimate.ts'
import { gatherScores } from '../gather/scores.ts'
import { gatherTrials } from '../gather/trials.ts'
import type { Journals } from '../gather/trials.ts'
import { byMeasure, measureName, pairsOf, describePair, type Claim, type ClaimedPair } from './claims.ts'
import { scales, type RunResult, type ScoresOfRun } from './compare-cells.ts'
import { sidesOf, type OurSide, type OurSides } from './claim-sides.ts'
import { marginOf, directionOfMeasure, rankedIn, type PaperTable, columnOf } from './paper-table.ts'
import { printedOutcome, type PrintedOutcome } from './printed-outcome.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** `supported`: all pairs are as claimed; `contradicted`: one is significantly opposite; `not supported`: neither. */
type ClaimOutcome = OurOutcome | 'not comparable' | 'not run'
type OurOutcome = 'supported' | 'contradicted' | 'not supported'

/** A claim with our outcome. */
export interface JudgedClaim extends Pick<Claim, 'claim' | 'place'> {
  readonly outcome: ClaimOutcome
  /** The outcome by our numbers alone, where they are not comparable with the paper's. */
  readonly ourOutcome?: OurOutcome
  /** Why there is no outcome. */
  readonly reason?: string
  /** Set where only a part of the columns was judged. */
  readonly columns?: { readonly judged: number; readonly of: number }
  /** The outcome by the paper's own numbers. */
  readonly printed: PrintedOutcome
  /** Of completed runs. */
  readonly pairs: readonly JudgedPair[]
}

/**
 * `difference`: first minus second in fractions or tokens, for "times" the ratio. `p`: null where nothing is tested,
 * such as tokens; `pAdjusted`: Holm over the pairs of the claim.
 */
export interface JudgedPair {
  readonly statement: string
  readonly column: string
  readonly difference: number
  readonly error: number | null
  readonly test: ComparedPair['test'] | 'none'
  readonly p: number | null
  readonly pAdjusted: number | null
  /** With a margin: p of lying outside of it. */
  readonly against?: number
  /** 95 % interval of the difference; null where unknown. */
  readonly low: number | null
  readonly high: number | null
  /** Questions in which the first is higher and lower; absent without a test. */
  readonly win?: number
  readonly loss?: number
  /** Common questions and their clusters. */
  readonly questions: number
  readonly clusters: number
  /** Smallest adjusted p that the pair can reach; above the level nothing can be concluded. */
  readonly smallestP: number
  readonly outcome: OurOutcome
}

/** Reads the scores of a run. Runs on the same data share `questions`, so that their rows can be paired. */
export async function scoresOfRun(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  questions: QuestionNumbers,
): Promise<ScoresOfRun> {
  const trials = await gatherTrials(manifest, journals.trials())
  const { byQuestion, hasOwnIndexes } = await gatherScores(manifest, journals.scores(), trials, questions)
  const idOf = (row: Row) => manifest.methods.find((method) => isRow(method, row))?.id
  return {
    of: (row, { scorer, metric, subset }) => {
      const method = idOf(row)
      const scorerId = manifest.scorers.find((candidate) => candidate.scorer === scorer)?.id
      return method === undefined || scorerId === undefined ? [] : byQuestion(method, scorerId, metric, subset)
    },
    hasOwnIndexes: (row) => hasOwnIndexes(idOf(row) ?? ''),
    questions,
    seed: manifest.seed,
  }
}

/** Judges the claims of the requested runs. */
export const judgeClaims = (paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly JudgedClaim[] =>
  paper.claims.flatMap((claim) => judgeClaim(paper, runs, claim) ?? [])

function judgeClaim(paper: PaperTable, runs: ReadonlyMap<string, RunResult>, claim: Claim): JudgedClaim | undefined {
  const about = { claim: claim.claim, place: claim.place, printed: printedOutcome(paper, claim) }
  const all = pairsOf(claim, rankedIn(paper))
  const claimedPairs = all.flatMap((pair) => {
    const sides = sidesOf(paper, runs, pair)
    return sides ? [{ pair, sides }] : []
  })
  if (claimedPairs.length === 0) return undefined
  const ran = claimedPairs.filter(({ sides }) => sides.all.every(({ missing }) => missing === undefined))
  const pairResults = withHolm(
    ran.flatMap(({ pair, sides }) => {
      const result = judgePair(paper, pair, sides)
      return result ? [{ ...pair, result }] : []
    }),
  )
  const [of, columns] = [byMeasure(all).length, byMeasure(ran.map(({ pair }) => pair)).length]
  const summary = {
    ...about,
    pairs: pairResults.map(({ result }) => result),
    ...(columns > 0 && columns < of && { columns: { judged: columns, of } }),
  }
  if (ran.length === 0)
    return {
      ...summary,
      outcome: 'not run',
      reason: joinReasons(claimedPairs.flatMap(({ sides }) => sides.all.flatMap((side) => side.missing ?? []))),
    }
  const ourOutcome = outcomeOfPairs(pairResults)
  const flaws = ran.flatMap(({ sides }) => sides.all.flatMap((side) => side.flaws))
  if (flaws.length === 0 && pairResults.length < ran.length)
    flaws.push('two rows of a claim have no question in common')
  if (flaws.length === 0) return { ...summary, outcome: ourOutcome }
  return {
    ...summary,
    outcome: 'not comparable',
    ...(pairResults.length === ran.length && { ourOutcome }),
    reason: joinReasons(flaws),
  }
}

const joinReasons = (reasons: readonly string[]): string => [...new Set(reasons)].join('; ')

/** Undefined without a value or a common question. */
function judgePair(paper: PaperTable, pair: ClaimedPair, { first, second, rivals }: OurSides): JudgedPair | undefined {
  const { measure } = pair.first
  const sign = directionOfMeasure(paper, measure)
  const about = { statement: describePair(pair, sign), column: measureName(measure), ...unknown }
  const [a, b] = [lessRival(first, rivals?.[0]), lessRival(second, rivals?.[1])]
  if (a === undefined || b === undefined) return undefined
  const withoutTest = { ...about, test: 'none', questions: 0, clusters: 0, smallestP: 0 } as const
  if (pair.kind === 'times')
    return { ...withoutTest, difference: a / b, outcome: judgeRatio(a / b, reachOfRatio(first, second), pair.range) }
  const margin =
    pair.kind === 'same' || pair.kind === 'not worse' ? marginInOurUnit(paper, pair, pair.margin, b) : undefined
  if (!first.scores || !second.scores) {
    const lead = sign * (a - b)
    const isWithin = margin !== undefined && (pair.kind === 'same' ? Math.abs(lead) <= margin : lead >= -margin)
    const isAsClaimed = margin === undefined ? lead > 0 : isWithin
    const isUndecided = margin === undefined && lead === 0
    return {
      ...withoutTest,
      difference: a - b,
      outcome: isAsClaimed ? 'supported' : isUndecided ? 'not supported' : 'contradicted',
    }
  }
  const run = first.run ?? second.run
  const [x, y] = [leadOf(first.scores, rivals?.[0]), leadOf(second.scores, rivals?.[1])]
  const hasOwnIndexes = (side: OurSide, rival?: OurSide) => side.hasOwnIndexes || rival?.hasOwnIndexes === true
  const sides = [
    scoredSide(x, hasOwnIndexes(first, rivals?.[0])),
    scoredSide(y, hasOwnIndexes(second, rivals?.[1])),
  ] as const
  const comparison = run && comparePair(...sides, run.questions.clusterOf, run.seed)
  if (!comparison) return undefined
  const { difference, error, degrees, test, p, questions, clusters, smallestP, low, high, win, loss } = comparison
  const measurement = { ...about, difference, error, low, high, win, loss, questions, clusters, smallestP }
  if (margin === undefined) {
    const isUp = sign * difference > 0
    return { ...measurement, test, p, outcome: p > alpha ? 'not supported' : isUp ? 'supported' : 'contradicted' }
  }
  const within = tost({ mean: sign * difference, error: error ?? NaN, degrees: degrees ?? NaN }, margin)
  const withinP = pair.kind === 'same' ? within.p : within.lower
  if (Number.isNaN(withinP) || (degrees ?? 0) < fewestDegrees)
    return { ...measurement, test: 't', outcome: 'not supported' }
  // outside of the margin, on one side or on either
  const outside = pair.kind === 'same' ? Math.min(1, 2 * Math.min(1 - within.lower, 1 - within.upper)) : 1 - withinP
  const outcome = withinP <= alpha ? 'supported' : outside <= alpha ? 'contradicted' : 'not supported'
  return { ...measurement, test: 't', p: withinP, against: outside, smallestP: 0, outcome }
}

/** The value of a side, less that of its rival or base; undefined without either number. */
function lessRival({ value }: OurSide, rival: OurSide | undefined): number | undefined {
  if (rival === undefined || value === undefined) return value
  return rival.value === undefined ? undefined : value - rival.value
}

const unknown = { error: null, p: null, pAdjusted: null, low: null, high: null } as const

/** Scores minus those of a rival on common questions, by repeat where both have it. */
function leadOf(scores: readonly QuestionScores[], rival: OurSide | undefined): readonly QuestionScores[] {
  if (!rival) return scores
  const rivalScores = new Map((rival.scores ?? []).map((rivalScore) => [rivalScore.question, rivalScore]))
  return scores.flatMap((score) => {
    const rivalScore = rivalScores.get(score.question)
    if (!rivalScore) return []
    const ofRepeat = valuesByRepeat(rivalScore)
    const repeats = score.repeats.map(({ repeat, values }) => {
      const less = ofRepeat.get(repeat) ?? rivalScore.mean
      return { repeat, values: values.map(({ run, value }) => ({ run, value: value - less })) }
    })
    return [{ ...score, mean: score.mean - rivalScore.mean, repeats }]
  })
}

/** Margin in fractions or tokens. */
function marginInOurUnit(
  paper: PaperTable,
  { first: { measure } }: ClaimedPair,
  claimMargin: number | string | undefined,
  value: number,
): number {
  const column = columnOf(paper, measure)
  const scale = column.unit === 'count' ? (paper.runs[column.run]?.questions ?? 1) : scales[column.unit]
  return marginOf(paper, measure, claimMargin, value * scale) / scale
}

/** Factor by which both errors may change the ratio (95 %); 1 for tokens, which are exact. */
function reachOfRatio(first: OurSide, second: OurSide): number {
  if (!first.scores && !second.scores) return 1
  const relative = ({ value, error }: OurSide): number => (error ?? NaN) / (value ?? NaN)
  return Math.exp(normalCritical(0.95) * Math.hypot(relative(first), relative(second)))
}

function judgeRatio(ratio: number, reach: number, [from, to]: readonly [number, number]): OurOutcome {
  if (ratio / reach >= from && ratio * reach <= to) return 'supported'
  return ratio * reach < from || ratio / reach > to ? 'contradicted' : 'not supported'
}

type Judged = ClaimedPair & { readonly result: JudgedPair }

function withHolm(pairs: readonly Judged[]): readonly Judged[] {
  const testedPairs = pairs.filter(({ result }) => result.p !== null)
  const adjustedPs = holm(testedPairs.map(({ result }) => result.p ?? 1))
  const againstPs = holm(testedPairs.map(({ result }) => result.against ?? result.p ?? 1))
  // Holm multiplies the smallest p by the number of tests
  const least = testedPairs.length * Math.min(...testedPairs.map(({ result }) => result.smallestP))
  return pairs.map((pair) => {
    const index = testedPairs.indexOf(pair)
    if (index < 0) return pair
    const adjustedP = itemAt(adjustedPs, index)
    const decides = pair.result.outcome === 'contradicted' ? itemAt(againstPs, index) : adjustedP
    const smallestP = Math.max(pair.result.smallestP, Math.min(1, least))
    const outcome = decides <= alpha ? pair.result.outcome : 'not supported'
    return { ...pair, result: { ...pair.result, pAdjusted: adjustedP, smallestP, outcome } }
  })
}

function outcomeOfPairs(pairs: readonly Judged[]): OurOutcome {
  if (pairs.some(({ result }) => result.outcome === 'contradicted')) return 'contradicted'
  return pairs.length > 0 && pairs.every(({ result }) => result.outcome === 'supported') ? 'supported' : 'not supported'
}
