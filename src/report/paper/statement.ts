import { z } from 'zod'

const says = z.string().min(1).describe('what the paper says, or what its table means by its form')
const decimals = z.int().min(0).max(6).default(0).describe('decimal places with which the paper prints it')

/** What a paper says of its own numbers, in a form that can be computed from its cells. */
export const statement = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['sum', 'mean']),
    says,
    over: z.enum(['columns', 'rows']).default('columns').describe('columns: in every row; rows: in every column'),
    of: z.array(z.string()).min(1).describe('columns (or rows) that are added up or averaged'),
    equals: z.union([z.string(), z.int()]).describe('the column (or row) that they make, or a whole number'),
  }),
  z.strictObject({
    kind: z.literal('relative'),
    says,
    column: z.string(),
    row: z.string(),
    than: z.string().describe('the row that is 100%'),
    percent: z.number().describe('how much more the first has; below 0 where it has less'),
    decimals,
  }),
  z.strictObject({
    kind: z.literal('test'),
    says,
    test: z.literal('mann-whitney').describe('U test, as scipy computes it, between the values of single runs'),
    column: z.string(),
    row: z.string().describe('the row whose runs are said to be greater; the test is one-sided'),
    than: z.string(),
    p: z.number().min(0).max(1).nullable().describe('as printed; null: the paper makes the test and prints no p'),
    decimals,
  }),
  z.strictObject({
    kind: z.literal('best'),
    says,
    column: z.string(),
    rows: z.array(z.string()).min(1).describe('rows that the paper marks as the best of the column'),
  }),
])

export type Statement = z.output<typeof statement>
