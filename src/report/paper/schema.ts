import { z } from 'zod'
import { claimSchema } from './claims.ts'

const testSchema = z
  .strictObject({
    says: z.string().min(1).describe('what the paper says'),
    place: z.string().min(1).describe('where the paper says it: section, table, figure'),
    column: z.string(),
    row: z.string().describe('the row whose runs are said to be greater; the test is one-sided'),
    than: z.string(),
    p: z.number().min(0).max(1).nullable().describe('as printed; null: the paper makes the test and prints no p'),
    decimals: z.int().min(0).max(6).default(0).describe('decimal places with which the paper prints it'),
  })
  .describe('a Mann–Whitney U test between the values of single runs, as scipy computes it')

const experimentSchema = z.strictObject({
  configs: z
    .array(z.string().min(1))
    .min(1)
    .describe('config files, later ones override earlier ones; paths are relative to this file'),
  set: z.array(z.string()).default([]).describe('key=value, applied after the config files'),
  train: z
    .strictObject({
      set: z.array(z.string()).default([]).describe('key=value for every training, such as its split'),
      files: z
        .record(z.string().regex(/^[A-Za-z0-9-]+$/), z.array(z.string()))
        .describe(
          'the networks that are trained first, by the names of their files in GOR_WEIGHTS, each with its own key=value',
        ),
    })
    .optional()
    .describe('networks of graph-of-records that the run reads, trained before it with the same config files'),
})

const runSchema = experimentSchema.extend({
  questions: z
    .int()
    .min(1)
    .optional()
    .describe('number of questions that the paper asked; a run with another number is not compared'),
  needs: z.string().optional().describe('how to get what the run needs, where the error message cannot say so'),
  offline: z
    .array(experimentSchema)
    .default([])
    .describe(
      'offline variants, which need no key and no network, best first; --offline runs the first whose data is present',
    ),
})

const columnFields = {
  run: z.string().describe('which run our cell comes from'),
  unit: z
    .enum(['percent', 'fraction', 'thousands', 'number', 'count'])
    .describe(
      "unit of the paper's numbers: percent, fractions of 1, thousands of tokens, a number as it is, or a count of questions",
    ),
  decimals: z
    .int()
    .min(0)
    .max(6)
    .optional()
    .describe('decimal places with which the paper prints this column; what rounding allows is known by them'),
  tolerance: z
    .union([z.number().positive(), z.string().regex(/^\d+ ?%$/, 'must be a number or a percentage')])
    .describe(
      "largest difference that counts as none, in the paper's unit or as a percentage of its value: scores are tested against it, tokens are compared with it",
    ),
}

const scoreColumn = z.strictObject({
  ...columnFields,
  scorer: z.string(),
  metric: z.string(),
  subset: z.string().default('all'),
  runs: z
    .int()
    .min(1)
    .default(1)
    .describe(
      "number of runs that the paper's value is the mean of; together with a variance it gives the standard error",
    ),
  better: z.enum(['higher', 'lower']).default('higher').describe('which values are better'),
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
  variance: z.number().min(0).optional().describe('variance of the run means, where the paper prints it'),
  perRun: z
    .array(z.number())
    .min(2)
    .optional()
    .describe('value of every run, where the paper prints them; their variance counts where none is printed'),
})

/** Schema of a paper table; `paperTable` checks references between fields. */
export const paperSchema = z.strictObject({
  paper: z.string().min(1),
  table: z.string().min(1).describe('number of the table or figure in the paper'),
  notes: z.array(z.string()).default([]).describe('what a reader of the comparison must know'),
  runs: z.record(z.string(), runSchema),
  latency: z
    .string()
    .optional()
    .describe('where the paper says how fast its rows are: the times of our calls are printed then'),
  rows: z.record(
    z.string(),
    z.strictObject({
      method: z.string().optional().describe('label of our method; absent where gembench has none yet'),
      variant: z.string().default(''),
      runs: z
        .record(z.string(), z.string())
        .default({})
        .describe(
          'for the run of a column, the run that this row comes from instead, as a row with another embedder or answer model does',
        ),
      recorded: z
        .boolean()
        .default(false)
        .describe(
          "our cells are counted from the paper's own outputs on its own questions: they are compared by the tolerance alone",
        ),
      differs: z
        .string()
        .min(1)
        .optional()
        .describe('in what its run differs from those of the paper: no claim over it is comparable, and this is why'),
      reference: z.boolean().default(false).describe('a row for orientation, which is not ranked with the others'),
    }),
  ),
  columns: z.record(z.string(), z.union([scoreColumn, tokenColumn])),
  cells: z.array(cellSchema).min(1),
  claims: z
    .array(claimSchema)
    .default([])
    .describe('every sentence of the paper that compares rows: `reproduce` judges it by tests'),
  tests: z.array(testSchema).default([]).describe('tests between runs that the paper states'),
})

export type Form = z.output<typeof paperSchema>
export type Experiment = z.output<typeof experimentSchema>
