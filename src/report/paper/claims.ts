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
export interface ClaimedPair extends Limits, Readonly<Record<'first' | 'second', Side>> {
  readonly kind: 'better' | 'same' | 'not worse' | 'times'
  readonly statement: string
  readonly range?: readonly [from: number, to: number]
}

interface Limits {
  readonly bars?: string | undefined
  readonly margin?: number | string | undefined
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
  const relations = {
    better: directionOf(paper, measure) === 1 ? 'above' : 'below',
    same: 'the same as',
    'not worse': 'not worse than',
  }
  const side = (row: string, ...bases: readonly string[]): Side => ({ row, measure, bases })
  const pair = (kind: keyof typeof relations, first: string, second: string, more?: Limits): ClaimedPair => ({
    kind,
    statement: `${first} ${relations[kind]} ${second}`,
    first: side(first),
    second: side(second),
    bars: more?.bars,
    margin: more?.margin,
  })
  const rowsBut = (names: readonly string[]): readonly string[] =>
    rankedIn(paper, measure).filter((row) => !names.includes(row))
  if ('order' in claim)
    return claim.order.slice(1).map((row, index) => pair('better', itemAt(claim.order, index), row, claim))
  if ('top' in claim)
    return claim.top.flatMap((row) =>
      (claim.of ?? rowsBut(claim.top)).map((rival) => pair('better', row, rival, claim)),
    )
  if ('last' in claim) return (claim.of ?? rowsBut([claim.last])).map((row) => pair('better', row, claim.last))
  if ('same' in claim) return claim.as.map((row) => pair('same', claim.same, row, claim))
  if ('notWorse' in claim) return claim.than.map((row) => pair('not worse', claim.notWorse, row, claim))
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
  const statement = `${times} ${from === to ? from : `${from} to ${to}`} times ${than}`
  const range = [from - halfDigit(from, decimals), to + halfDigit(to, decimals)] as const
  return [{ kind: 'times', statement, range, first: side(times), second: side(than) }]
}

/** Half a unit of the last printed digit. */
const halfDigit = (value: number, decimals = (String(value).split('.')[1] ?? '').length): number => 10 ** -decimals / 2
