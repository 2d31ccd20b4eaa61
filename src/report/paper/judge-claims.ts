import { itemAt, valueOf } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import { rounding, sum } from '../../math/statistics/descriptive.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { present } from '../../text/amounts.ts'
import { comparePair } from '../compare/compare-family.ts'
import { alpha } from '../compare/compare-pair.ts'
import type { ScoredSide } from '../gather/observations.ts'
import { pairsOf, type ClaimedPair, type Side } from './claims.ts'
import { ourCell, scaleOf, type OurCell, type RunResults } from './our-cells.ts'
import { columnOf, columnsOf, directionOf, marginOf, measureName, rowOf } from './paper-table.ts'
import type { Claim, PaperTable } from './schema.ts'

/** `supported`: all pairs are as claimed; `contradicted`: one is significantly opposite; `not supported`: neither. */
type OurOutcome = 'supported' | 'contradicted' | 'not supported'

/** Outcomes by the printed numbers, the worst first: a claim has that of its worst pair. */
const printedOutcomes = ['contradicted', 'no number', 'its bars overlap', 'equal numbers', 'supported'] as const
type PrintedOutcome = (typeof printedOutcomes)[number]

/** A claim with our outcome. */
export interface JudgedClaim extends Pick<Claim, 'claim' | 'place'> {
  readonly outcome: OurOutcome | 'not comparable' | 'not run'
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
export interface JudgedPair extends Pick<
  ComparedPair,
  'difference' | 'error' | 'low' | 'high' | 'questions' | 'clusters'
> {
  readonly statement: string
  readonly column: string
  readonly test: ComparedPair['test'] | 'none'
  readonly p: number | null
  readonly pAdjusted: number | null
  /** With a margin: p of lying outside of it. */
  readonly against?: number
  /** Questions in which the first is higher and lower; absent without a test. */
  readonly win?: number
  readonly loss?: number
  /** Smallest adjusted p that the pair can reach; above the level nothing can be concluded. */
  readonly smallestP: number
  readonly outcome: OurOutcome
}

type ComparedPair = NonNullable<ReturnType<typeof comparePair>>

/** Judges the claims of the requested runs. */
export const judgeClaims = (paper: PaperTable, runs: RunResults): readonly JudgedClaim[] =>
  paper.claims.flatMap((claim) => judgeClaim(paper, runs, claim))

function judgeClaim(paper: PaperTable, runs: RunResults, claim: Claim): readonly JudgedClaim[] {
  const claimedPairs = pairsOf(paper, claim)
  const candidates = claimedPairs.flatMap((pair) => {
    const first = ourSide(paper, runs, pair.first)
    const second = ourSide(paper, runs, pair.second)
    return first && second ? [{ pair, first, second, isRun: first.isRun && second.isRun }] : []
  })
  if (candidates.length === 0) return []
  const ran = candidates.filter(({ isRun }) => isRun)
  const results = ran.flatMap(({ pair, first, second }) => judgePair(paper, pair, first, second) ?? [])
  const pairs = correctOverPairs(results)
  const columnCount = { judged: countColumns(ran.map(({ pair }) => pair)), of: countColumns(claimedPairs) }
  const summary = {
    claim: claim.claim,
    place: claim.place,
    printed: printedOutcome(paper, claim),
    pairs,
    ...(ran.length > 0 && columnCount.judged < columnCount.of && { columns: columnCount }),
  }
  const sidesOf = (list: typeof ran): readonly OurCell[] => list.flatMap(({ first, second }) => [first, second])
  const reasonsFrom = (cells: readonly OurCell[]): string =>
    [...new Set(cells.flatMap(({ flaws }) => flaws))].join('; ')
  if (ran.length === 0)
    return [{ ...summary, outcome: 'not run', reason: reasonsFrom(sidesOf(candidates).filter((side) => !side.isRun)) }]
  const ourOutcome = outcomeOfPairs(pairs)
  const flaws = reasonsFrom(sidesOf(ran))
  const isComplete = pairs.length === ran.length
  if (flaws === '' && isComplete) return [{ ...summary, outcome: ourOutcome }]
  const reason = flaws || 'two rows of a claim have no question in common'
  return [{ ...summary, outcome: 'not comparable', ...(isComplete && { ourOutcome }), reason }]
}

const countColumns = (pairs: readonly ClaimedPair[]): number =>
  new Set(pairs.map(({ first }) => measureName(first.measure))).size

/** Our cell of a side; undefined where a run of it was not candidates. */
function ourSide(paper: PaperTable, runs: RunResults, { row, measure, bases }: Side): OurCell | undefined {
  const cellOf = (name: string): OurCell | undefined => {
    const parts = columnsOf(measure).flatMap((column) => ourCell(paper, runs, name, column) ?? [])
    if (parts.length < columnsOf(measure).length) return undefined
    const values = parts.flatMap(({ value }) => value ?? [])
    return {
      ...itemAt(parts, 0),
      value: values.length < parts.length ? null : sum(values),
      flaws: present(
        parts.flatMap(({ flaws }) => flaws),
        rowOf(paper, name).differs,
      ),
    }
  }
  const cell = cellOf(row)
  const baseCells = bases.flatMap((base) => cellOf(base) ?? [])
  if (!cell || baseCells.length < bases.length) return undefined
  const sign = directionOf(paper, measure)
  const levelOf = ({ value }: OurCell): number => (value === null ? -Infinity : sign * value)
  const [best] = baseCells.toSorted((a, b) => levelOf(b) - levelOf(a))
  if (!best) return cell
  const all = [cell, ...baseCells]
  return {
    ...cell,
    value: cell.value === null || best.value === null ? null : cell.value - best.value,
    ...(cell.side && best.side && { side: leadOver(cell.side, best.side) }),
    isRun: all.every(({ isRun }) => isRun),
    flaws: all.flatMap(({ flaws }) => flaws),
  }
}

/** Scores minus those of a base on common questions, by repeat where either has several indexes. */
function leadOver(side: ScoredSide, base: ScoredSide): ScoredSide {
  const questions = [...side.scores.keys()].filter((question) => base.scores.has(question))
  const leads = (question: number): ReadonlyMap<number, number> => {
    const x = side.repeats?.get(question)
    const y = base.repeats?.get(question)
    const scoreIn = ({ scores, repeats }: ScoredSide, repeat: number): number =>
      repeats?.get(question)?.get(repeat) ?? valueOf(scores, question)
    const repeats = [...(x ?? y ?? new Map<number, number>()).keys()]
    return new Map(repeats.map((repeat) => [repeat, scoreIn(side, repeat) - scoreIn(base, repeat)]))
  }
  return {
    scores: new Map(
      questions.map((question) => [question, valueOf(side.scores, question) - valueOf(base.scores, question)]),
    ),
    ...((side.repeats ?? base.repeats) && {
      repeats: new Map(questions.map((question) => [question, leads(question)])),
    }),
  }
}

/** Undefined without a value or a common question. */
function judgePair(paper: PaperTable, pair: ClaimedPair, first: OurCell, second: OurCell): JudgedPair | undefined {
  const { measure } = pair.first
  const a = first.value
  const b = second.value
  if (a === null || b === null) return undefined
  const about = { statement: pair.statement, column: measureName(measure), ...noTest }
  if (pair.kind === 'times') {
    const relativeError = ({ value, cell }: OurCell): number => (cell ? (cell.error ?? NaN) / (value ?? NaN) : 0)
    const reach = Math.exp(normalCritical(0.95) * Math.hypot(relativeError(first), relativeError(second)))
    return { ...about, difference: a / b, outcome: judgeRatio(a / b, pair.range, reach) }
  }
  const column = columnOf(paper, measure)
  const scale = scaleOf(column, paper.runs[column.run]?.questions ?? 1)
  if (!first.cell || !second.cell) {
    const outcome = compareNumbers(paper, pair, [a, b], scale)
    return { ...about, difference: a - b, outcome: outcome === 'equal numbers' ? 'not supported' : outcome }
  }
  const run = first.run ?? second.run
  const comparison =
    run && first.side && second.side && comparePair(first.side, second.side, run.questions.clusterOf, run.seed)
  if (!comparison) return undefined
  const { difference, error, degrees, test, p, questions, clusters, smallestP, low, high, win, loss } = comparison
  const measurement = { ...about, difference, error, low, high, win, loss, questions, clusters, smallestP }
  const sign = directionOf(paper, measure)
  if (pair.kind === 'better') {
    const isUp = sign * difference > 0
    return { ...measurement, test, p, outcome: p > alpha ? 'not supported' : isUp ? 'supported' : 'contradicted' }
  }
  if (error === null || degrees === null || degrees < fewestDegrees)
    return { ...measurement, test: 't', outcome: 'not supported' }
  const margin = marginOf(pair.margin ?? column.tolerance, b, scale)
  const within = tost({ mean: sign * difference, error, degrees }, margin)
  const isSame = pair.kind === 'same'
  const withinP = isSame ? within.p : within.lower
  // outside of the margin, on either side or below
  const against = isSame ? Math.min(1, 2 * Math.min(1 - within.lower, 1 - within.upper)) : 1 - withinP
  const outcome = withinP <= alpha ? 'supported' : against <= alpha ? 'contradicted' : 'not supported'
  return { ...measurement, test: 't', p: withinP, against, smallestP: 0, outcome }
}

const noTest = {
  error: null,
  low: null,
  high: null,
  test: 'none',
  p: null,
  pAdjusted: null,
  questions: 0,
  clusters: 0,
  smallestP: 0,
} as const

/** `reach`: factor by which the errors may change the ratio (95 %). */
function judgeRatio(ratio: number, [from, to]: readonly [number, number], reach = 1): OurOutcome {
  if (ratio / reach >= from - rounding && ratio * reach <= to + rounding) return 'supported'
  return ratio * reach < from || ratio / reach > to ? 'contradicted' : 'not supported'
}

/** Compares numbers without a test. `scale`: factor from their unit to that of the paper. */
function compareNumbers(
  paper: PaperTable,
  pair: Exclude<ClaimedPair, { readonly kind: 'times' }>,
  [a, b]: readonly [number, number],
  scale: number,
): 'supported' | 'equal numbers' | 'contradicted' {
  const { measure } = pair.first
  const lead = directionOf(paper, measure) * (a - b)
  if (pair.kind === 'better')
    return Math.abs(lead) <= rounding ? 'equal numbers' : lead > 0 ? 'supported' : 'contradicted'
  const distance = pair.kind === 'same' ? Math.abs(lead) : -lead
  const margin = marginOf(pair.margin ?? columnOf(paper, measure).tolerance, b, scale)
  return distance <= margin + rounding ? 'supported' : 'contradicted'
}

/** Holm's correction over the pairs of a claim. */
function correctOverPairs(pairs: readonly JudgedPair[]): readonly JudgedPair[] {
  const testedPairs = pairs.filter(({ p }) => p !== null)
  const adjustedPs = holm(testedPairs.map(({ p }) => p ?? 1))
  const against = holm(testedPairs.map((pair) => pair.against ?? pair.p ?? 1))
  // Holm multiplies the smallest p by the number of tests
  const least = testedPairs.length * Math.min(...testedPairs.map(({ smallestP }) => smallestP))
  const correctedPairs = testedPairs.map((pair, index): [JudgedPair, JudgedPair] => {
    const pAdjusted = itemAt(adjustedPs, index)
    const decides = pair.outcome === 'contradicted' ? itemAt(against, index) : pAdjusted
    const smallestP = Math.max(pair.smallestP, Math.min(1, least))
    return [pair, { ...pair, pAdjusted, smallestP, outcome: decides <= alpha ? pair.outcome : 'not supported' }]
  })
  const byPair = new Map(correctedPairs)
  return pairs.map((pair) => (pair.p === null ? pair : valueOf(byPair, pair)))
}

function outcomeOfPairs(pairs: readonly JudgedPair[]): OurOutcome {
  if (pairs.some(({ outcome }) => outcome === 'contradicted')) return 'contradicted'
  return pairs.length > 0 && pairs.every(({ outcome }) => outcome === 'supported') ? 'supported' : 'not supported'
}

/** Compares printed numbers without a test, since papers print no errors over questions. */
function printedOutcome(paper: PaperTable, claim: Claim): PrintedOutcome {
  const pairOutcomes = pairsOf(paper, claim).map((pair) => printedOutcomeOf(paper, pair))
  return printedOutcomes.find((outcome) => pairOutcomes.includes(outcome)) ?? 'no number'
}

function printedOutcomeOf(paper: PaperTable, pair: ClaimedPair): PrintedOutcome {
  const a = printedSide(paper, pair.first)
  const b = printedSide(paper, pair.second)
  if (a === null || b === null) return 'no number'
  if (pair.kind === 'times') return judgeRatio(a / b, pair.range) === 'supported' ? 'supported' : 'contradicted'
  const outcome = compareNumbers(paper, pair, [a, b], 1)
  if (outcome !== 'supported' || pair.kind !== 'better' || pair.bars === undefined) return outcome
  const bars = marginOf(pair.bars, a) + marginOf(pair.bars, b)
  return Math.abs(a - b) > bars ? outcome : 'its bars overlap'
}

/** The printed value of a side; null without a number. */
function printedSide(paper: PaperTable, { row, measure, bases }: Side): number | null {
  const valueIn = (name: string): number | null => {
    const values = columnsOf(measure).map(
      (column) =>
        paper.cells.find((cell) => cell.row === name && cell.column === column && !cell.secondHand)?.value ?? null,
    )
    return values.includes(null) ? null : sum(values.map(Number))
  }
  const [value, ...rivals] = [row, ...bases].map(valueIn)
  if (value == null || rivals.includes(null)) return null
  const sign = directionOf(paper, measure)
  return rivals.length === 0 ? value : value - sign * Math.max(...rivals.map((rival) => sign * Number(rival)))
}
