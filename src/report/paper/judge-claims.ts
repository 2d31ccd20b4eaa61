import { itemAt } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import type { Manifest, Row } from '../../records.ts'
import { alpha, comparePair, scoredSide, type ComparedPair } from '../compare/compare-pair.ts'
import { valuesByRepeat, type QuestionNumbers, type QuestionScores } from '../table/estimate.ts'
import { gatherScores } from '../table/gather-scores.ts'
import { gatherTrials } from '../table/gather-trials.ts'
import type { Journals } from '../table/table.ts'
import { byMeasure, measureName, pairsOf, saidOf, type Claim, type ClaimedPair } from './claims.ts'
import { scales, type Ran, type ScoresOfRun } from './compare.ts'
import { sidesOf, type OurSide, type OurSides } from './claimed-sides.ts'
import { marginOf, directionOfMeasure, rankedIn, type PaperTable, columnNamed } from './paper-table.ts'
import { printedOutcome, type PrintedOutcome } from './printed-outcome.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** `upheld`: every pair is as claimed. `contradicted`: one is the other way. `not shown`: neither. */
type ClaimVerdict = OurVerdict | 'not comparable' | 'not run'
type OurVerdict = 'upheld' | 'contradicted' | 'not shown'

/** A claim of a paper and what our runs say of it. */
export interface JudgedClaim extends Pick<Claim, 'claim' | 'place'> {
  readonly verdict: ClaimVerdict
  /** What our numbers alone say where they are not comparable with the paper's. */
  readonly here?: OurVerdict
  /** Why nothing can be said. */
  readonly reason?: string
  /** How many of its columns were judged, where not all were. */
  readonly columns?: { readonly judged: number; readonly of: number }
  /** What the numbers that the paper prints say. */
  readonly printed: PrintedOutcome
  /** Those of runs that were made. */
  readonly pairs: readonly JudgedPair[]
}

/**
 * `difference`: first minus second, in fractions or tokens, of "times" the quotient. p: of the claim being wrong by
 * chance, adjusted by Holm over the claim; null where nothing is tested, as with tokens.
 */
export interface JudgedPair {
  readonly said: string
  readonly column: string
  readonly difference: number
  readonly error: number | null
  readonly test: ComparedPair['test'] | 'none'
  readonly p: number | null
  readonly pAdjusted: number | null
  /** Of a margin, the p of lying outside of it. */
  readonly against?: number
  /** The interval of the difference at 95 %; null where none is known. */
  readonly low: number | null
  readonly high: number | null
  /** Questions in which the first is higher and lower than the second; absent where nothing is tested. */
  readonly win?: number
  readonly loss?: number
  /** Questions that both have a score for, and their clusters. */
  readonly questions: number
  readonly clusters: number
  /** The smallest p that the pair could have after Holm's correction; above the level nothing can be concluded. */
  readonly smallestP: number
  readonly verdict: OurVerdict
}

/** Reads the scores of a run; runs on the same data share `questions`, so that rows of both can be compared. */
export async function scoresOfRun(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  questions: QuestionNumbers,
): Promise<ScoresOfRun> {
  const trials = await gatherTrials(manifest, journals.trials())
  const { byQuestion, hasOwnIndexes } = await gatherScores(manifest, journals.scores(), trials, questions)
  const idOf = (row: Row) => manifest.methods.find((one) => isRow(one, row))?.id
  return {
    of: (row, { scorer, metric, subset }) => {
      const method = idOf(row)
      const scored = manifest.scorers.find((one) => one.scorer === scorer)?.id
      return method === undefined || scored === undefined ? [] : byQuestion(method, scored, metric, subset)
    },
    hasOwnIndexes: (row) => hasOwnIndexes(idOf(row) ?? ''),
    questions,
    seed: manifest.seed,
  }
}

/** The claims of a paper of which a run was asked for, in its order, each judged by our runs. */
export const judgeClaims = (paper: PaperTable, runs: ReadonlyMap<string, Ran>): readonly JudgedClaim[] =>
  paper.claims.flatMap((claim) => judgedClaim(paper, runs, claim) ?? [])

function judgedClaim(paper: PaperTable, runs: ReadonlyMap<string, Ran>, claim: Claim): JudgedClaim | undefined {
  const about = { claim: claim.claim, place: claim.place, printed: printedOutcome(paper, claim) }
  const all = pairsOf(claim, rankedIn(paper))
  const asked = all.flatMap((pair) => {
    const sides = sidesOf(paper, runs, pair)
    return sides ? [{ pair, sides }] : []
  })
  if (asked.length === 0) return undefined
  const ran = asked.filter(({ sides }) => sides.all.every(({ missing }) => missing === undefined))
  const judged = withHolm(
    ran.flatMap(({ pair, sides }) => {
      const own = judgePair(paper, pair, sides)
      return own ? [{ ...pair, own }] : []
    }),
  )
  const [of, columns] = [byMeasure(all).length, byMeasure(ran.map(({ pair }) => pair)).length]
  const found = {
    ...about,
    pairs: judged.map(({ own }) => own),
    ...(columns > 0 && columns < of && { columns: { judged: columns, of } }),
  }
  if (ran.length === 0)
    return {
      ...found,
      verdict: 'not run',
      reason: listed(asked.flatMap(({ sides }) => sides.all.flatMap((side) => side.missing ?? []))),
    }
  const here = verdictOf(judged)
  const flaws = ran.flatMap(({ sides }) => sides.all.flatMap((side) => side.flaws))
  if (flaws.length === 0 && judged.length < ran.length) flaws.push('two rows of a claim have no question in common')
  if (flaws.length === 0) return { ...found, verdict: here }
  return { ...found, verdict: 'not comparable', ...(judged.length === ran.length && { here }), reason: listed(flaws) }
}

const listed = (reasons: readonly string[]): string => [...new Set(reasons)].join('; ')

/** A pair by our numbers; undefined where there is none, or no question has a score of both. */
function judgePair(paper: PaperTable, pair: ClaimedPair, { first, second, rivals }: OurSides): JudgedPair | undefined {
  const { measure } = pair.first
  const sign = directionOfMeasure(paper, measure)
  const about = { said: saidOf(pair, sign), column: measureName(measure), ...unknown }
  const [a, b] = [first.value, second.value]
  if (a === undefined || b === undefined) return undefined
  const counted = { ...about, test: 'none', questions: 0, clusters: 0, smallestP: 0 } as const
  if (pair.kind === 'times')
    return { ...counted, difference: a / b, verdict: ratioVerdict(a / b, reachOfRatio(first, second), pair.range) }
  const margin =
    pair.kind === 'same' || pair.kind === 'not worse' ? marginOfOurs(paper, pair, pair.margin, b) : undefined
  if (!first.scores || !second.scores) {
    const lead = sign * (a - b)
    const isWithin = margin !== undefined && (pair.kind === 'same' ? Math.abs(lead) <= margin : lead >= -margin)
    const isAsClaimed = margin === undefined ? lead > 0 : isWithin
    const isUndecided = margin === undefined && lead === 0
    return {
      ...counted,
      difference: a - b,
      verdict: isAsClaimed ? 'upheld' : isUndecided ? 'not shown' : 'contradicted',
    }
  }
  const run = first.run ?? second.run
  const [x, y] = [leadOf(first.scores, rivals?.[0]), leadOf(second.scores, rivals?.[1])]
  const sides = [scoredSide(x, first.lucky), scoredSide(y, second.lucky)] as const
  const tested = run && comparePair(...sides, run.questions.clusterOf, run.seed)
  if (!tested) return undefined
  const { difference, error, degrees, test, p, questions, clusters, smallestP, low, high, win, loss } = tested
  const measured = { ...about, difference, error, low, high, win, loss, questions, clusters, smallestP }
  if (margin === undefined) {
    const isUp = sign * difference > 0
    return { ...measured, test, p, verdict: p > alpha ? 'not shown' : isUp ? 'upheld' : 'contradicted' }
  }
  const within = tost({ mean: sign * difference, error: error ?? NaN, degrees: degrees ?? NaN }, margin)
  const own = pair.kind === 'same' ? within.p : within.lower
  if (Number.isNaN(own) || (degrees ?? 0) < fewestDegrees) return { ...measured, test: 't', verdict: 'not shown' }
  // outside of the margin, on one side or on either
  const outside = pair.kind === 'same' ? Math.min(1, 2 * Math.min(1 - within.lower, 1 - within.upper)) : 1 - own
  const verdict = own <= alpha ? 'upheld' : outside <= alpha ? 'contradicted' : 'not shown'
  return { ...measured, test: 't', p: own, against: outside, smallestP: 0, verdict }
}

const unknown = { error: null, p: null, pAdjusted: null, low: null, high: null } as const

/** Scores less those of a rival, on the questions that both have a score for, by repeat where both have them. */
function leadOf(scores: readonly QuestionScores[], rival: OurSide | undefined): readonly QuestionScores[] {
  if (!rival) return scores
  const others = new Map((rival.scores ?? []).map((one) => [one.question, one]))
  return scores.flatMap((one) => {
    const other = others.get(one.question)
    if (!other) return []
    const ofRepeat = valuesByRepeat(other)
    const repeats = one.repeats.map(({ repeat, values }) => {
      const less = ofRepeat.get(repeat) ?? other.mean
      return { repeat, values: values.map(({ run, value }) => ({ run, value: value - less })) }
    })
    return [{ ...one, mean: one.mean - other.mean, repeats }]
  })
}

/** A margin in fractions or tokens. */
function marginOfOurs(
  paper: PaperTable,
  { first: { measure } }: ClaimedPair,
  stated: number | string | undefined,
  value: number,
): number {
  const column = columnNamed(paper, measure)
  const scale = column.unit === 'count' ? (paper.runs[column.run]?.questions ?? 1) : scales[column.unit]
  return marginOf(paper, measure, stated, value * scale) / scale
}

/** How far a quotient may lie off by the errors of both, as a factor; 1 of tokens, which are counted. */
function reachOfRatio(first: OurSide, second: OurSide): number {
  if (!first.scores && !second.scores) return 1
  const relative = ({ value, error }: OurSide): number => (error ?? NaN) / (value ?? NaN)
  return Math.exp(normalCritical(0.95) * Math.hypot(relative(first), relative(second)))
}

function ratioVerdict(ratio: number, reach: number, [from, to]: readonly [number, number]): OurVerdict {
  if (ratio / reach >= from && ratio * reach <= to) return 'upheld'
  return ratio * reach < from || ratio / reach > to ? 'contradicted' : 'not shown'
}

type Judged = ClaimedPair & { readonly own: JudgedPair }

function withHolm(pairs: readonly Judged[]): readonly Judged[] {
  const tested = pairs.filter(({ own }) => own.p !== null)
  const adjusted = holm(tested.map(({ own }) => own.p ?? 1))
  const against = holm(tested.map(({ own }) => own.against ?? own.p ?? 1))
  // Holm gives no pair less than the smallest p of all times their number
  const least = tested.length * Math.min(...tested.map(({ own }) => own.smallestP))
  return pairs.map((pair) => {
    const index = tested.indexOf(pair)
    if (index < 0) return pair
    const pAdjusted = itemAt(adjusted, index)
    const decides = pair.own.verdict === 'contradicted' ? itemAt(against, index) : pAdjusted
    const smallestP = Math.max(pair.own.smallestP, Math.min(1, least))
    const verdict = decides <= alpha ? pair.own.verdict : 'not shown'
    return { ...pair, own: { ...pair.own, pAdjusted, smallestP, verdict } }
  })
}

function verdictOf(pairs: readonly Judged[]): OurVerdict {
  if (pairs.some(({ own }) => own.verdict === 'contradicted')) return 'contradicted'
  return pairs.length > 0 && pairs.every(({ own }) => own.verdict === 'upheld') ? 'upheld' : 'not shown'
}
