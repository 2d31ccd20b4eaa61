import { z } from 'zod'

const text = z.string().min(1)
const names = z.array(z.string()).min(1)
const values = z.array(z.number()).min(2)
const flag = z.boolean().default(false)
const records = z.record(z.string(), z.string())
const percentage = z.string().regex(/^\d+ ?%$/, 'must be a percentage')
const marginSchema = z
  .union([z.number().positive(), percentage])
  .describe("largest difference that counts as none, in the paper's unit or as a percentage of its value")

const experimentSchema = z.strictObject({
  configs: names.describe('config files, later ones override earlier ones; paths are relative to this file'),
  set: z.array(z.string()).default([]).describe('key=value, applied after the config files'),
  train: z
    .strictObject({
      set: z.array(z.string()).default([]).describe('key=value for every training, such as its split'),
      files: z
        .record(z.string().regex(/^[A-Za-z0-9-]+$/), z.array(z.string()))
        .describe('networks by the names of their files in GOR_WEIGHTS, each with its own key=value'),
    })
    .optional()
    .describe('networks of graph-of-records, trained before the run with the same config files'),
})

const variants = z.array(experimentSchema).default([])

const runSchema = experimentSchema.extend({
  questions: z.int().min(1).optional().describe('questions of the paper; a run with another number is not compared'),
  needs: z.string().optional().describe('how to get what the run needs, where the error message cannot say so'),
  offline: variants.describe('variants without key and network, best first; --offline runs the first that can run'),
})

const rowSchema = z.strictObject({
  method: z.string().optional().describe('label of our method; absent where gembench has none yet'),
  variant: z.string().default(''),
  runs: records.default({}).describe('by the run of a column, the run of this row instead, as of another embedder'),
  recorded: flag.describe("our cells are counted from the paper's own outputs: they are compared by tolerance alone"),
  differs: text.optional().describe('in what its run differs from the paper: no claim over it is comparable'),
  reference: flag.describe('a row for orientation, which is not ranked with the others'),
})

const columnFields = {
  run: z.string().describe('which run our cell comes from'),
  unit: z
    .enum(['percent', 'fraction', 'thousands', 'number', 'count'])
    .describe("unit of the paper's numbers; thousands of tokens, a count of questions"),
  tolerance: marginSchema,
}

const scoreColumn = z.strictObject({
  ...columnFields,
  scorer: z.string(),
  metric: z.string(),
  subset: z.string().default('all'),
  runs: z.int().min(1).default(1).describe("runs that the paper's value is the mean of"),
  better: z.enum(['higher', 'lower']).default('higher'),
})

const tokenColumn = z.strictObject({
  ...columnFields,
  phases: z.array(z.enum(['index', 'retrieve', 'answer', 'judge'])).min(1),
  tokens: z.enum(['promptTokens', 'completionTokens', 'embeddedTokens']),
})

const cellSchema = z.strictObject({
  row: z.string(),
  column: z.string(),
  value: z.number().nullable().describe('as printed; null where the paper has no number'),
  secondHand: text.optional().describe('who reports the number, if not the paper: it is compared with nothing'),
  variance: z.number().min(0).optional().describe('variance of the run means, where the paper prints it'),
  perRun: values.optional().describe('value of every run; their variance counts where none is printed'),
})

const measureSchema = z
  .union([z.string(), z.array(z.string()).min(2)])
  .describe('a column, or columns of tokens that are added up')
const gainSchema = z.tuple([z.string(), z.string()])
const bars = percentage.optional().describe('printed error bars: rows whose bars overlap are not separated')
const of = names.optional().describe('default: all other rows that are ranked and have a number')
const margin = marginSchema.optional().describe('default: the tolerance of the column')

const claimWith = <T extends z.ZodRawShape>(form: T) =>
  z.strictObject({
    claim: text.describe('what the paper says, in words of ours'),
    place: text.describe('where the paper says it: section, table, figure'),
    columns: z.array(measureSchema).min(1).describe('what it is said of'),
    ...form,
  })

/** A sentence of a paper that compares rows. The column defines "better": fewer tokens, fewer wrong answers. */
const claimSchema = z.union([
  claimWith({ order: z.array(z.string()).min(2).describe('rows, each better than the next'), bars }),
  claimWith({ top: names.describe('rows, each better than each of `of`'), of, bars }),
  claimWith({ last: z.string().describe('the row that each of `of` is better than'), of }),
  claimWith({ same: z.string().describe('a row that differs from each of `as` by no more'), as: names, margin }),
  claimWith({ notWorse: z.string().describe('a row that is worse than none of `than` by more'), than: names, margin }),
  claimWith({
    times: z.string().describe('a row that has from `from` to `to` times what `than` has'),
    than: z.string(),
    from: z.number().positive(),
    to: z.number().positive(),
  }),
  claimWith({
    widest: z.string().describe('the row whose lead over the best of `of` is largest in the first column'),
    of: names,
  }),
  claimWith({
    gain: gainSchema.describe('two rows: what the first gains over the second, question by question'),
    above: z.array(gainSchema).min(1).describe('pairs of rows, each with a smaller gain'),
  }),
])

const testSchema = z
  .strictObject({
    says: text.describe('what the paper says'),
    place: text.describe('where the paper says it: section, table, figure'),
    column: z.string(),
    row: z.string().describe('the row whose runs are said to be greater; the test is one-sided'),
    than: z.string(),
    p: z.number().min(0).max(1).nullable().describe('as printed; null: the paper makes the test and prints no p'),
    decimals: z.int().min(0).max(6).default(0).describe('decimal places with which the paper prints it'),
  })
  .describe('a Mann–Whitney U test between the values of single runs, as scipy computes it')

/** Schema of a paper's table; `paperTable` also checks the names in it. */
export const paperSchema = z.strictObject({
  paper: text,
  table: text.describe('number of the table or figure in the paper'),
  notes: z.array(z.string()).default([]).describe('what a reader of the comparison must know'),
  runs: z.record(z.string(), runSchema),
  latency: z.string().optional().describe('where the paper says how fast its rows are: the times of our calls follow'),
  rows: z.record(z.string(), rowSchema),
  columns: z.record(z.string(), z.union([scoreColumn, tokenColumn])),
  cells: z.array(cellSchema).min(1),
  claims: z.array(claimSchema).default([]).describe('every sentence of the paper that compares rows'),
  tests: z.array(testSchema).default([]).describe('tests between runs that the paper states'),
})

export type PaperTable = z.output<typeof paperSchema>
export type PaperRun = PaperTable['runs'][string]
export type PaperColumn = PaperTable['columns'][string]
export type PaperCell = PaperTable['cells'][number]
export type Experiment = z.output<typeof experimentSchema>
export type Claim = z.output<typeof claimSchema>
/** A column, or several to add up. */
export type Measure = z.output<typeof measureSchema>
