import { z } from 'zod'

const experiment = z.strictObject({
  configs: z.array(z.string().min(1)).min(1).describe('config files, later over earlier, seen from this file'),
  set: z.array(z.string()).default([]).describe('key=value, over the config files'),
})

const run = experiment.extend({
  questions: z.int().min(1).optional().describe('questions that the paper asked; another number cannot be compared'),
  needs: z.string().optional().describe('how to bring what the run asks for, where its own message cannot tell'),
  offline: z
    .array(experiment)
    .default([])
    .describe('twins without key and network, the best first: the first whose data is here runs with --offline'),
})

const where = {
  run: z.string().describe('which run our cell comes from'),
  unit: z.enum(['percent', 'fraction', 'thousands']).describe("the paper's: of 100, of 1, or a thousand tokens"),
  tolerance: z
    .union([z.number().positive(), z.string().regex(/^\d+ ?%$/, 'must be a number or a percentage')])
    .describe("a difference that is none, in the paper's unit or as a share of its value, where runs give no error"),
}

const score = z.strictObject({
  ...where,
  scorer: z.string(),
  metric: z.string(),
  subset: z.string().default('all'),
  runs: z
    .int()
    .min(1)
    .default(1)
    .describe("runs that the paper's value is the mean of; with a variance they give its error"),
})

const spent = z.strictObject({
  ...where,
  phases: z.array(z.enum(['index', 'retrieve', 'answer', 'judge'])).min(1),
  tokens: z.enum(['promptTokens', 'completionTokens', 'embeddedTokens']),
})

const cell = z.strictObject({
  row: z.string(),
  column: z.string(),
  value: z.number().nullable().describe('as printed; null where the paper has no number'),
  variance: z.number().min(0).optional().describe('of run means, where it is printed'),
})

/** A table of a paper as data: its cells as printed, which method stands for a row, and where our cell of a column comes from. */
export const paperTable = z
  .strictObject({
    paper: z.string().min(1),
    table: z.string().min(1).describe('which table or figure of it'),
    notes: z.array(z.string()).default([]).describe('what a reader of the comparison must know'),
    runs: z.record(z.string(), run),
    rows: z.record(
      z.string(),
      z.strictObject({
        method: z.string().optional().describe('label of the method; absent where there is none yet'),
        variant: z.string().default(''),
      }),
    ),
    columns: z.record(z.string(), z.union([score, spent])),
    cells: z.array(cell).min(1),
  })
  .superRefine(({ runs, rows, columns, cells }, context) => {
    const demand = (known: object, name: string, path: (string | number)[], what: string): void => {
      if (!Object.hasOwn(known, name))
        context.addIssue({ code: 'custom', path, message: `there is no ${what} "${name}" in this file` })
    }
    for (const [name, { run }] of Object.entries(columns)) demand(runs, run, ['columns', name, 'run'], 'run')
    const seen = new Set<string>()
    for (const [index, { row, column }] of cells.entries()) {
      demand(rows, row, ['cells', index, 'row'], 'row')
      demand(columns, column, ['cells', index, 'column'], 'column')
      const key = JSON.stringify([row, column])
      if (seen.has(key))
        context.addIssue({ code: 'custom', path: ['cells', index, 'row'], message: 'this cell stands twice' })
      seen.add(key)
    }
  })

export type PaperTable = z.output<typeof paperTable>
export type PaperRun = PaperTable['runs'][string]
export type PaperColumn = PaperTable['columns'][string]
export type PaperCell = PaperTable['cells'][number]
/** Configs that make a run, and what is set in them. */
export type Experiment = z.output<typeof experiment>
