import { columnsOf, pairsOf, type Claim, type ClaimedPair, type Side } from './claims.ts'
import { directionOfMeasure, marginOf, rankedIn, type PaperTable } from './paper-table.ts'

/** Outcome of a claim by the printed numbers: that of its worst pair. */
const outcomes = ['contradicted', 'no number', 'its bars overlap', 'equal numbers', 'supported'] as const
export type PrintedOutcome = (typeof outcomes)[number]

/** Compares printed numbers without a test, since papers print no errors over questions. */
export function printedOutcome(paper: PaperTable, claim: Claim): PrintedOutcome {
  const pairOutcomes = pairsOf(claim, rankedIn(paper)).map((pair) => pairOutcome(paper, pair))
  return outcomes.find((outcome) => pairOutcomes.includes(outcome)) ?? 'no number'
}

/** Floating-point error of sums and differences of printed numbers. */
const rounding = 1e-9

function pairOutcome(paper: PaperTable, pair: ClaimedPair): PrintedOutcome {
  const { first, second } = pair
  const [a, b] = [sideValue(paper, first, pair), sideValue(paper, second, pair)]
  if (a === null || b === null) return 'no number'
  const sign = directionOfMeasure(paper, first.measure)
  if (pair.kind === 'times') {
    const [from, to] = pair.range
    return a / b >= from - rounding && a / b <= to + rounding ? 'supported' : 'contradicted'
  }
  if (pair.kind === 'same' || pair.kind === 'not worse') {
    const behind = pair.kind === 'same' ? Math.abs(a - b) : sign * (b - a)
    return behind <= marginOf(paper, first.measure, pair.margin, b) + rounding ? 'supported' : 'contradicted'
  }
  const lead = pair.kind === 'lead' || pair.kind === 'interaction' ? a - b : sign * (a - b)
  if (Math.abs(lead) <= rounding) return 'equal numbers'
  if (pair.kind === 'better' && pair.bars !== undefined && lead > 0) {
    const bars = (Number.parseFloat(pair.bars) / 100) * (Math.abs(a) + Math.abs(b))
    return lead > bars ? 'supported' : 'its bars overlap'
  }
  return lead > 0 ? 'supported' : 'contradicted'
}

/** The printed value, for a lead or a gain its distance to the best rival or the base; null without a number. */
function sideValue(paper: PaperTable, side: Side, pair: ClaimedPair): number | null {
  const { row, measure } = side
  const value = printedValue(paper, row, measure)
  if ((pair.kind !== 'lead' && pair.kind !== 'interaction') || value === null) return value
  const names = pair.kind === 'lead' ? pair.rivals : [pair.bases[side === pair.first ? 0 : 1]]
  const rivals = names.map((rival) => printedValue(paper, rival, measure))
  const numbers = rivals.filter((rival) => rival !== null)
  const sign = directionOfMeasure(paper, measure)
  return numbers.length < rivals.length ? null : Math.min(...numbers.map((rival) => sign * (value - rival)))
}

function printedValue({ cells }: PaperTable, row: string, measure: Side['measure']): number | null {
  const values = columnsOf(measure).flatMap(
    (column) => cells.find((cell) => cell.row === row && cell.column === column && !cell.secondHand)?.value ?? [],
  )
  return values.length < columnsOf(measure).length ? null : values.reduce((sum, value) => sum + value, 0)
}
