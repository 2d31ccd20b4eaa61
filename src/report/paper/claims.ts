import { itemAt } from '../../basics/collections.ts'
import { directionOf, measureName, rankedIn } from './paper-table.ts'
import type { Claim, Measure, PaperTable } from './schema.ts'

/** A row in a column. With `bases` its distance to the best of them: a lead, or a gain over one row. */
export interface Side {
  readonly row: string
  readonly measure: Measure
  readonly bases: readonly string[]
}

/** Two sides and what is claimed of them. `statement`: such as "A above B"; `range`: of the ratio for "times". */
export interface ClaimedPair extends Readonly<Record<'first' | 'second', Side>> {
  readonly kind: 'better' | 'same' | 'not worse' | 'times'
  readonly statement: string
  readonly bars?: string | undefined
  readonly margin?: number | string | undefined
  readonly range?: readonly [from: number, to: number]
}

/** All pairs of a claim, column by column. */
export function pairsOf(paper: PaperTable, claim: Claim): readonly ClaimedPair[] {
  if (!('widest' in claim)) return claim.columns.flatMap((measure) => pairsIn(paper, claim, measure))
  const { widest: row, of: bases, columns } = claim
  return columns.slice(1).map((measure) => ({
    kind: 'better',
    statement: `lead of ${row} over that in ${measureName(measure)}`,
    first: { row, measure: itemAt(columns, 0), bases },
    second: { row, measure, bases },
  }))
}

type ClaimInColumn = Exclude<Claim, { readonly widest: string }>

function pairsIn(paper: PaperTable, claim: ClaimInColumn, measure: Measure): readonly ClaimedPair[] {
  const side = (row: string, ...bases: readonly string[]): Side => ({ row, measure, bases })
  const sides = (first: string, second: string) => ({ first: side(first), second: side(second) })
  const order = directionOf(paper, measure) === 1 ? 'above' : 'below'
  const better = (first: string, second: string, bars?: string): ClaimedPair => ({
    kind: 'better',
    bars,
    statement: `${first} ${order} ${second}`,
    ...sides(first, second),
  })
  const within = (kind: 'same' | 'not worse', first: string, rows: readonly string[], margin?: number | string) =>
    rows.map((row): ClaimedPair => ({
      kind,
      margin,
      statement: `${first} ${kind === 'same' ? 'the same as' : 'not worse than'} ${row}`,
      ...sides(first, row),
    }))
  const rowsBut = (names: readonly string[]): readonly string[] =>
    rankedIn(paper, measure).filter((row) => !names.includes(row))
  if ('order' in claim)
    return claim.order.slice(1).map((row, index) => better(itemAt(claim.order, index), row, claim.bars))
  if ('top' in claim)
    return claim.top.flatMap((row) => (claim.of ?? rowsBut(claim.top)).map((rival) => better(row, rival, claim.bars)))
  if ('last' in claim) return (claim.of ?? rowsBut([claim.last])).map((row) => better(row, claim.last))
  if ('same' in claim) return within('same', claim.same, claim.as, claim.margin)
  if ('notWorse' in claim) return within('not worse', claim.notWorse, claim.than, claim.margin)
  if ('gain' in claim) {
    const [row, base] = claim.gain
    return claim.above.map(([second, secondBase]) => ({
      kind: 'better',
      statement: `gain of ${row} over ${base} larger than of ${second} over ${secondBase}`,
      first: side(row, base),
      second: side(second, secondBase),
    }))
  }
  const { times, than, from, to, decimals } = claim
  return [
    {
      kind: 'times',
      statement: `${times} ${from === to ? from : `${from} to ${to}`} times ${than}`,
      range: [from - halfDigit(from, decimals), to + halfDigit(to, decimals)],
      ...sides(times, than),
    },
  ]
}

/** Half a unit of the last printed digit. */
const halfDigit = (value: number, decimals = (String(value).split('.')[1] ?? '').length): number => 10 ** -decimals / 2
