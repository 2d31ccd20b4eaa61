import { faultsOf } from './faults.ts'
import { form, type Form } from './form.ts'

/** A table of a paper as data: its cells as printed, which method stands for a row, and where our cell of a column comes from. */
export const paperTable = form.superRefine((paper, context) => {
  for (const { path, message } of faultsOf(paper)) context.addIssue({ code: 'custom', path: [...path], message })
})

export type PaperTable = Form
export type PaperRun = PaperTable['runs'][string]
export type PaperColumn = PaperTable['columns'][string]
export type PaperCell = PaperTable['cells'][number]
/** Configs that make a run, and what is set in them. */
export type { Experiment } from './form.ts'
