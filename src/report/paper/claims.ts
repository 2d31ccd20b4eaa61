import { z } from 'zod'
import { groupBy } from '../../basics/collections.ts'

const rowsSchema = z.array(z.string()).min(1)
const measureSchema = z
  .union([z.string(), z.array(z.string()).min(2)])
  .describe('a column, or columns of tokens that are added up')
const marginSchema = z
  .union([z.number().positive(), z.string().regex(/^\d+ ?%$/, 'must be a number or a percentage')])
  .optional()
  .describe(
    "what counts as no difference, in the paper's unit or as a percentage; default: the tolerance of the column",
  )
const gainSchema = z.tuple([z.string(), z.string()])
const barsSchema = z
  .string()
  .regex(/^\d+ ?%$/, 'must be a percentage')
  .optional()
  .describe('error bars that the paper draws: rows whose bars overlap are not separated by its own cells')
const of = rowsSchema.optional().describe('default: all other rows that are ranked and have a number')

const about = {
  claim: z.string().min(1).describe('what the paper says, in words of ours'),
  place: z.string().min(1).describe('where the paper says it: section, table, figure'),
  columns: z.array(measureSchema).min(1).describe('what it is said of'),
}

/** A sentence of a paper that compares rows. The column defines "better": fewer tokens, fewer wrong answers. */
export const claimSchema = z.union([
  z.strictObject({
    ...about,
    order: z.array(z.string()).min(2).describe('rows, each better than the next'),
    bars: barsSchema,
  }),
  z.strictObject({ ...about, top: rowsSchema.describe('rows, each better than each of `of`'), of, bars: barsSchema }),
  z.strictObject({ ...about, last: z.string().describe('the row that each of `of` is better than'), of }),
  z.strictObject({
    ...about,
    same: z.string().describe('a row that differs from each of `as` by no more'),
    as: rowsSchema,
    margin: marginSchema,
  }),
  z.strictObject({
    ...about,
    notWorse: z.string().describe('a row that is worse than none of `than` by more'),
    than: rowsSchema,
    margin: marginSchema,
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
    of: rowsSchema,
  }),
  z.strictObject({
    ...about,
    gain: gainSchema.describe('two rows: what the first gains over the second, question by question'),
    above: z.array(gainSchema).min(1).describe('pairs of rows, each with a smaller gain'),
  }),
])

export type Claim = z.output<typeof claimSchema>
/** A column, or several to add up. */
export type Measure = z.output<typeof measureSchema>

export const columnsOf = (columns: Measure): readonly string[] => (typeof columns === 'string' ? [columns] : columns)

/** Joins column names; a common prefix up to a colon appears once. */
export function measureName(columns: Measure): string {
  const names = columnsOf(columns)
  const [start = ''] = /^[^:]*: /.exec(names[0] ?? '') ?? []
  return names.map((name, index) => (index > 0 && name.startsWith(start) ? name.slice(start.length) : name)).join(' + ')
}

export interface Side {
  readonly row: string
  readonly measure: Measure
}

/** Compares two cells; `lead` and `interaction` compare two differences between rows. */
export type ClaimedPair = Readonly<Record<'first' | 'second', Side>> &
  (
    | { readonly kind: 'better'; readonly bars?: string | undefined }
    | { readonly kind: 'same' | 'not worse'; readonly margin: number | string | undefined }
    | { readonly kind: 'times'; readonly from: number; readonly to: number; readonly range: readonly [number, number] }
    | { readonly kind: 'lead'; readonly rivals: readonly string[] }
    | { readonly kind: 'interaction'; readonly bases: readonly [first: string, second: string] }
  )

/** Pairs of a claim by column. `rowsIn` lists the ranked rows of a column. */
export function pairsOf(claim: Claim, rowsIn: (measure: Measure) => readonly string[]): readonly ClaimedPair[] {
  if ('widest' in claim) {
    const [first, ...measures] = claim.columns.map((measure) => ({ row: claim.widest, measure }))
    return first ? measures.map((second) => ({ kind: 'lead', first, second, rivals: claim.of })) : []
  }
  return claim.columns.flatMap((measure) => {
    const pair = (first: string, second: string) => ({
      first: { row: first, measure },
      second: { row: second, measure },
    })
    const better = (first: string, second: string, bars?: string): ClaimedPair => ({
      kind: 'better',
      bars,
      ...pair(first, second),
    })
    const rowsBut = (names: readonly string[]): readonly string[] =>
      rowsIn(measure).filter((row) => !names.includes(row))
    if ('order' in claim)
      return claim.order.slice(1).map((row, index) => better(claim.order[index] ?? row, row, claim.bars))
    if ('top' in claim)
      return claim.top.flatMap((row) => (claim.of ?? rowsBut(claim.top)).map((rival) => better(row, rival, claim.bars)))
    if ('last' in claim) return (claim.of ?? rowsBut([claim.last])).map((row) => better(row, claim.last))
    if ('same' in claim)
      return claim.as.map((row) => ({ kind: 'same', margin: claim.margin, ...pair(claim.same, row) }))
    if ('notWorse' in claim)
      return claim.than.map((row) => ({ kind: 'not worse', margin: claim.margin, ...pair(claim.notWorse, row) }))
    if ('gain' in claim) {
      const [row, base] = claim.gain
      return claim.above.map(([second, secondBase]) => ({
        kind: 'interaction',
        bases: [base, secondBase],
        ...pair(row, second),
      }))
    }
    const { from, to, decimals } = claim
    const range = [from - halfOf(from, decimals), to + halfOf(to, decimals)] as const
    return [{ kind: 'times', ...pair(claim.times, claim.than), from, to, range }]
  })
}

/** Half a unit of the last printed digit. */
const halfOf = (value: number, decimals = (String(value).split('.')[1] ?? '').length): number => 10 ** -decimals / 2

export function rowsInClaim(claim: Claim): readonly string[] {
  if ('order' in claim) return claim.order
  if ('top' in claim) return [...claim.top, ...(claim.of ?? [])]
  if ('last' in claim) return [claim.last, ...(claim.of ?? [])]
  if ('same' in claim) return [claim.same, ...claim.as]
  if ('notWorse' in claim) return [claim.notWorse, ...claim.than]
  if ('times' in claim) return [claim.times, claim.than]
  if ('gain' in claim) return [...claim.gain, ...claim.above.flat()]
  return [claim.widest, ...claim.of]
}

/** Pairs grouped by column, since columns count in the outcome. */
export const byMeasure = <T extends Pick<ClaimedPair, 'first'>>(pairs: readonly T[]): readonly (readonly T[])[] => [
  ...groupBy(pairs, ({ first }) => measureName(first.measure)).values(),
]

/** Such as "A above B"; `sign` is -1 where lower is better. */
export function describePair(pair: ClaimedPair, sign: 1 | -1): string {
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
    case 'interaction':
      return `gain of ${first} over ${pair.bases[0]} larger than of ${second} over ${pair.bases[1]}`
  }
}
