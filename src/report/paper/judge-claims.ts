import { itemAt } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import { rounding, sum } from '../../math/statistics/descriptive.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { present } from '../../text/amounts.ts'
import { comparePair } from '../compare/compare-family.ts'
import { alpha, differenceOf } from '../compare/compare-pair.ts'
import { noCell, ourCell, scaleOf, type OurCell, type RunResults } from './our-cells.ts'
import {
  columnOf,
  columnsOf,
  directionOf,
  marginOf,
  measureName,
  pairsOf,
  rowOf,
  type ClaimedPair,
  type Side,
} from './paper-table.ts'
import type { Claim, PaperTable } from './schema.ts'

/** `supported`: all pairs are as claimed; `contradicted`: one is significantly opposite; `not supported`: neither. */
type OurOutcome = 'supported' | 'contradicted' | 'not supported'

/** Outcomes by the printed numbers, the worst first: a claim has that of its worst pair. */
const printedOutcomes = ['contradicted', 'no number', 'its bars overlap', 'equal numbers', 'supported'] as const

export type JudgedClaim = ReturnType<typeof judgeClaims>[number]

/**
 * Judges the claims of a paper. `printed`: by the paper's numbers; `pairs`: of completed runs; `ourOutcome`:
 * by our numbers, where they are not comparable with the paper's, or are not all there.
 */
export const judgeClaims = (paper: PaperTable, runs: RunResults) =>
  paper.claims.map((claim) => judgeClaim(paper, runs, claim))

function judgeClaim(paper: PaperTable, runs: RunResults, claim: Claim) {
  const claimedPairs = pairsOf(paper, claim)
  const candidates = claimedPairs.map((pair) => ({
    pair,
    first: ourSide(paper, runs, pair.first),
    second: ourSide(paper, runs, pair.second),
  }))
  const ran = candidates.filter(({ first, second }) => first.isRun && second.isRun)
  const results = ran.flatMap(({ pair, first, second }) => judgePair(paper, pair, first, second) ?? [])
  const pairs = correctOverPairs(results)
  const pairOutcomes = claimedPairs.map((pair) => printedOutcome(paper, pair))
  const flaws = new Set(candidates.flatMap(({ first, second }) => [...first.flaws, ...second.flaws]))
  if (pairs.length < ran.length && flaws.size === 0) flaws.add('two rows of a claim have no question in common')
  const ourOutcome = outcomeOfPairs(pairs)
  const outcome = flaws.size === 0 ? ourOutcome : ran.length > 0 ? 'not comparable' : 'not run'
  return {
    claim: claim.claim,
    place: claim.place,
    printed: printedOutcomes.find((candidate) => pairOutcomes.includes(candidate)) ?? 'no number',
    pairs,
    outcome,
    ourOutcome: outcome === 'not comparable' && pairs.length === ran.length ? ourOutcome : undefined,
    reason: flaws.size === 0 ? undefined : [...flaws].join('; '),
  } as const
}

const ourSide = (paper: PaperTable, runs: RunResults, side: Side): OurCell =>
  sideOf(paper, side, (row, column) => {
    const cell = ourCell(paper, runs, row, column)
    return { ...cell, flaws: present(cell.flaws, rowOf(paper, row).differs) }
  })

/** The columns of a row added up, less those of its best base; no value without a number of each. */
function sideOf(
  paper: PaperTable,
  { row, measure, bases }: Side,
  cellOf: (row: string, column: string) => OurCell,
): OurCell {
  const rows = [row, ...bases].map((name) => columnsOf(measure).map((column) => cellOf(name, column)))
  const values = rows.map((cells) => sum(cells.map(({ value }) => value ?? NaN)))
  const sign = directionOf(paper, measure)
  const signedBases = values.slice(1).map((value) => sign * value)
  const base = bases.length > 0 ? sign * Math.max(...signedBases) : 0
  const value = itemAt(values, 0) - base
  const cells = rows.flat()
  const cell = itemAt(cells, 0)
  const baseCell = rows[values.indexOf(base, 1)]?.[0]
  return {
    ...cell,
    value: Number.isNaN(value) ? null : value,
    ...(cell.side && baseCell?.side && { side: differenceOf(cell.side, baseCell.side) }),
    isRun: cells.every(({ isRun }) => isRun),
    flaws: cells.flatMap(({ flaws }) => flaws),
  }
}

export type JudgedPair = ReturnType<typeof correctOverPairs>[number]

/**
 * `difference`: first minus second in fractions or tokens, for "times" the ratio. `test`: `none` for tokens and ratios,
 * with nothing beside it; `p`: null without an error; `against`: with a margin, p of lying outside of it. Undefined
 * without a value or a common question.
 */
function judgePair(paper: PaperTable, pair: ClaimedPair, first: OurCell, second: OurCell) {
  const { measure } = pair.first
  const a = first.value
  const b = second.value
  if (a === null || b === null) return undefined
  const about = { statement: pair.statement, column: measureName(measure) }
  const column = columnOf(paper, measure)
  const scale = scaleOf(column, paper.runs[column.run]?.questions ?? 1)
  if (pair.kind === 'times' || !first.run || !first.side || !second.side) {
    const relativeError = ({ value, cell }: OurCell) => (cell ? (cell.error ?? NaN) / (value ?? NaN) : 0)
    const error = Math.hypot(relativeError(first), relativeError(second))
    const reach = Math.exp(normalCritical(0.95) * error)
    const outcome = compareNumbers(paper, pair, [a, b], scale, reach)
    return { ...about, test: 'none' as const, difference: pair.kind === 'times' ? a / b : a - b, outcome }
  }
  const { manifest, scores } = first.run
  const comparison = comparePair(first.side, second.side, scores.questions.clusterOf, manifest.seed)
  if (!comparison) return undefined
  const { degrees, tie: _tie, ...measurement } = comparison
  const { difference, error, p } = measurement
  const sign = directionOf(paper, measure)
  if (pair.kind === 'better') {
    const direction = sign * difference > 0 ? 'supported' : 'contradicted'
    const outcome: OurOutcome = p > alpha ? 'not supported' : direction
    return { ...about, ...measurement, against: p, outcome }
  }
  const test = 't' as const
  if (error === null || degrees === null || degrees < fewestDegrees)
    return { ...about, ...measurement, test, p: null, against: null, outcome: 'not supported' as const }
  const margin = marginOf(pair.margin ?? column.tolerance, b, scale)
  const within = tost({ mean: sign * difference, error, degrees }, margin)
  const isSame = pair.kind === 'same'
  const withinP = isSame ? within.p : within.lower
  // outside of the margin, on either side or below
  const against = isSame ? Math.min(1, 2 * Math.min(1 - within.lower, 1 - within.upper)) : 1 - withinP
  const otherOutcome = against <= alpha ? 'contradicted' : 'not supported'
  const outcome: OurOutcome = withinP <= alpha ? 'supported' : otherOutcome
  return {
    ...about,
    ...measurement,
    test,
    p: withinP,
    against,
    smallestP: 0,
    outcome,
  }
}

/** Compares without a test. `scale`: factor to the paper's unit; `reach`: factor by which errors may change a ratio. */
function compareNumbers(
  paper: PaperTable,
  { kind, margin, range = [NaN, NaN], first: { measure } }: ClaimedPair,
  [a, b]: readonly [number, number],
  scale = 1,
  reach = 1,
): OurOutcome {
  if (kind === 'times') {
    const least = a / b / reach
    const most = (a / b) * reach
    if (least >= range[0] - rounding && most <= range[1] + rounding) return 'supported'
    return most < range[0] || least > range[1] ? 'contradicted' : 'not supported'
  }
  const lead = directionOf(paper, measure) * (a - b)
  if (kind === 'better') {
    if (Math.abs(lead) <= rounding) return 'not supported'
    return lead > 0 ? 'supported' : 'contradicted'
  }
  const distance = kind === 'same' ? Math.abs(lead) : -lead
  const limit = marginOf(margin ?? columnOf(paper, measure).tolerance, b, scale)
  return distance <= limit + rounding ? 'supported' : 'contradicted'
}

/** Holm's correction over the pairs of a claim. `smallestP`: above the level nothing can be concluded. */
function correctOverPairs(pairs: readonly NonNullable<ReturnType<typeof judgePair>>[]) {
  const testedPairs = pairs.flatMap((pair) => (pair.test === 'none' || pair.p === null ? [] : [pair]))
  const adjustedPs = holm(testedPairs.map(({ p }) => p))
  const againstPs = holm(testedPairs.map(({ against }) => against))
  // Holm multiplies the smallest p by the number of tests
  const least = Math.min(1, testedPairs.length * Math.min(...testedPairs.map(({ smallestP }) => smallestP)))
  return pairs.map((pair) => {
    if (pair.test === 'none') return pair
    const place = testedPairs.findIndex((candidate) => candidate === pair)
    if (place < 0) return pair
    const pAdjusted = itemAt(adjustedPs, place)
    const decides = pair.outcome === 'contradicted' ? itemAt(againstPs, place) : pAdjusted
    const outcome: OurOutcome = decides <= alpha ? pair.outcome : 'not supported'
    return { ...pair, pAdjusted, smallestP: Math.max(pair.smallestP, least), outcome }
  })
}

function outcomeOfPairs(pairs: readonly { readonly outcome: OurOutcome }[]): OurOutcome {
  if (pairs.some(({ outcome }) => outcome === 'contradicted')) return 'contradicted'
  return pairs.length > 0 && pairs.every(({ outcome }) => outcome === 'supported') ? 'supported' : 'not supported'
}

/** Compares printed numbers without a test, since papers print no errors over questions. */
function printedOutcome(paper: PaperTable, pair: ClaimedPair) {
  const printedCell = (row: string, column: string): OurCell => {
    const cell = paper.cells.find((entry) => entry.row === row && entry.column === column && !entry.secondHand)
    return { ...noCell, value: cell?.value ?? null, flaws: [] }
  }
  const a = sideOf(paper, pair.first, printedCell).value
  const b = sideOf(paper, pair.second, printedCell).value
  if (a === null || b === null) return 'no number'
  if (pair.kind === 'better' && Math.abs(a - b) <= rounding) return 'equal numbers'
  const outcome = compareNumbers(paper, pair, [a, b])
  if (outcome !== 'supported' || pair.bars === undefined) return outcome
  return Math.abs(a - b) > marginOf(pair.bars, a) + marginOf(pair.bars, b) ? outcome : 'its bars overlap'
}
