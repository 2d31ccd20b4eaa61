import { columnsOf, pairsOf, type Claim, type ClaimedPair, type Side } from './claims.ts'
import { directionOfMeasure, marginOf, rankedIn, type PaperTable } from './paper-table.ts'

/** Outcome of a claim by the printed numbers: that of its worst pair. */
const outcomes = ['contradicted', 'no number', 'equal numbers', 'supported'] as const
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
  const lead = pair.kind === 'lead' ? a - b : sign * (a - b)
  if (Math.abs(lead) <= rounding) return 'equal numbers'
  return lead > 0 ? 'supported' : 'contradicted'
}

/** The printed value, for a lead its distance to the best rival; null without a number. */
function sideValue(paper: PaperTable, { row, measure }: Side, pair: ClaimedPair): number | null {
  const value = printedValue(paper, row, measure)
  if (pair.kind !== 'lead' || value === null) return value
  const rivals = pair.rivals.map((rival) => printedValue(paper, rival, measure))
  const numbers = rivals.filter((rival) => rival !== null)
  const sign = directionOfMeasure(paper, measure)
  return numbers.length < rivals.length ? null : Math.min(...numbers.map((rival) => sign * (value - rival)))
}

function printedValue({ cells }: PaperTable, row: string, measure: Side['measure']): number | null {
  const values = columnsOf(measure).flatMap(
    (column) => cells.find((cell) => cell.row === row && cell.column === column)?.value ?? [],
  )
  return values.length < columnsOf(measure).length ? null : values.reduce((sum, value) => sum + value, 0)
}
