import { z } from 'zod'
import { groupBy } from '../../basics/collections.ts'

const rows = z.array(z.string()).min(1)
const measure = z
  .union([z.string(), z.array(z.string()).min(2)])
  .describe('a column, or columns of tokens that are added up')
const margin = z
  .union([z.number().positive(), z.string().regex(/^\d+ ?%$/, 'must be a number or a percentage')])
  .optional()
  .describe(
    "what counts as no difference, in the paper's unit or as a percentage; default: the tolerance of the column",
  )
const of = rows.optional().describe('default: all other rows that are ranked and have a number')

const about = {
  claim: z.string().min(1).describe('what the paper says, in words of ours'),
  place: z.string().min(1).describe('where the paper says it: section, table, figure'),
  columns: z.array(measure).min(1).describe('what it is said of'),
}

/** A sentence of a paper that compares rows. "Better" is what the column says: fewer tokens, fewer wrong answers. */
export const claim = z.union([
  z.strictObject({ ...about, order: z.array(z.string()).min(2).describe('rows, each better than the next') }),
  z.strictObject({ ...about, top: rows.describe('rows, each better than each of `of`'), of }),
  z.strictObject({ ...about, last: z.string().describe('the row that each of `of` is better than'), of }),
  z.strictObject({
    ...about,
    same: z.string().describe('a row that differs from each of `as` by no more'),
    as: rows,
    margin,
  }),
  z.strictObject({
    ...about,
    notWorse: z.string().describe('a row that is worse than none of `than` by more'),
    than: rows,
    margin,
  }),
  z.strictObject({
    ...about,
    times: z.string().describe('a row that has from `from` to `to` times what `than` has'),
    than: z.string(),
    from: z.number().positive(),
    to: z.number().positive(),
    decimals: z.int().min(0).max(6).optional().describe('decimal places of both as printed; default: those they have'),
  }),
  z.strictObject({
    ...about,
    widest: z
      .string()
      .describe('the row whose lead over the best of `of` is larger in the first column than in the others'),
    of: rows,
  }),
])

export type Claim = z.output<typeof claim>
/** A column, or several that are added up. */
export type Measure = z.output<typeof measure>

export const columnsOf = (one: Measure): readonly string[] => (typeof one === 'string' ? [one] : one)

/** Columns that are added up by one name: what they begin with up to a colon is said once. */
export function measureName(one: Measure): string {
  const names = columnsOf(one)
  const [start = ''] = /^[^:]*: /.exec(names[0] ?? '') ?? []
  return names.map((name, index) => (index > 0 && name.startsWith(start) ? name.slice(start.length) : name)).join(' + ')
}

/** A row in a column. */
export interface Side {
  readonly row: string
  readonly measure: Measure
}

/** What a claim says of two cells; `lead`: of two differences between rows. */
export type ClaimedPair = Readonly<Record<'first' | 'second', Side>> &
  (
    | { readonly kind: 'better' }
    | { readonly kind: 'same' | 'not worse'; readonly margin: number | string | undefined }
    | { readonly kind: 'times'; readonly from: number; readonly to: number; readonly range: readonly [number, number] }
    | { readonly kind: 'lead'; readonly rivals: readonly string[] }
  )

/** The pairs of a claim, by column. `ranked` gives the rows that are ranked in one. */
export function pairsOf(one: Claim, ranked: (measure: Measure) => readonly string[]): readonly ClaimedPair[] {
  if ('widest' in one) {
    const [first, ...others] = one.columns.map((measure) => ({ row: one.widest, measure }))
    return first ? others.map((second) => ({ kind: 'lead', first, second, rivals: one.of })) : []
  }
  return one.columns.flatMap((measure) => {
    const pair = (first: string, second: string) => ({
      first: { row: first, measure },
      second: { row: second, measure },
    })
    const better = (first: string, second: string): ClaimedPair => ({ kind: 'better', ...pair(first, second) })
    const others = (named: readonly string[]): readonly string[] =>
      ranked(measure).filter((row) => !named.includes(row))
    if ('order' in one) return one.order.slice(1).map((row, index) => better(one.order[index] ?? row, row))
    if ('top' in one) return one.top.flatMap((row) => (one.of ?? others(one.top)).map((other) => better(row, other)))
    if ('last' in one) return (one.of ?? others([one.last])).map((row) => better(row, one.last))
    if ('same' in one) return one.as.map((row) => ({ kind: 'same', margin: one.margin, ...pair(one.same, row) }))
    if ('notWorse' in one)
      return one.than.map((row) => ({ kind: 'not worse', margin: one.margin, ...pair(one.notWorse, row) }))
    const { from, to, decimals } = one
    const range = [from - halfOf(from, decimals), to + halfOf(to, decimals)] as const
    return [{ kind: 'times', ...pair(one.times, one.than), from, to, range }]
  })
}

/** What rounding hides of a printed number. */
const halfOf = (value: number, decimals = (String(value).split('.')[1] ?? '').length): number => 10 ** -decimals / 2

/** The rows that a claim names. */
export function rowsNamed(one: Claim): readonly string[] {
  if ('order' in one) return one.order
  if ('top' in one) return [...one.top, ...(one.of ?? [])]
  if ('last' in one) return [one.last, ...(one.of ?? [])]
  if ('same' in one) return [one.same, ...one.as]
  if ('notWorse' in one) return [one.notWorse, ...one.than]
  if ('times' in one) return [one.times, one.than]
  return [one.widest, ...one.of]
}

/** What a verdict over columns is made of: that of each pair, by the column that it is said of. */
export const byMeasure = <T extends Pick<ClaimedPair, 'first'>>(pairs: readonly T[]): readonly (readonly T[])[] => [
  ...groupBy(pairs, ({ first }) => measureName(first.measure)).values(),
]

/** What is said of a pair, such as "A above B". `sign` is -1 where less is better. */
export function saidOf(pair: ClaimedPair, sign: 1 | -1): string {
  const isElsewhere = measureName(pair.first.measure) !== measureName(pair.second.measure)
  const nameOf = ({ row, measure: at }: Side): string => (isElsewhere ? `${row} (${measureName(at)})` : row)
  const [first, second] = [nameOf(pair.first), nameOf(pair.second)]
  switch (pair.kind) {
    case 'better':
      return `${first} ${sign === 1 ? 'above' : 'below'} ${second}`
    case 'same':
      return `${first} the same as ${second}`
    case 'not worse':
      return `${first} not worse than ${second}`
    case 'times':
      return `${first} ${pair.from === pair.to ? pair.from : `${pair.from} to ${pair.to}`} times ${second}`
    case 'lead':
      return `lead of ${pair.first.row} over that in ${measureName(pair.second.measure)}`
  }
}
