import { stringify } from 'csv-stringify/sync'
import { labelColumns } from '../../basics/gembench-files.ts'
import type { SampledAnswer } from './draw-sample.ts'

/**
 * A file of answers for a person to judge: a line an answer, `verdict` to be filled in. Only `id`, `scorer` and `verdict` are read back, so
 * texts may be changed by a spreadsheet; those that it would take for a formula begin with an apostrophe. The byte order mark tells Excel that
 * it is UTF-8.
 */
export function labelsCsv(scorer: string, answers: readonly SampledAnswer[]): string {
  const withContext = answers.some(({ context }) => context !== undefined)
  const lines = answers.map(({ ids, ...texts }) => ({ id: ids.join(' '), scorer, ...texts, verdict: '' }))
  return stringify(lines, { header: true, columns: [...labelColumns(withContext)], escape_formulas: true, bom: true })
}

/** Text of a cell without the apostrophe that `labelsCsv` put before what looked like a formula. */
export const withoutApostrophe = (text: string): string => text.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '')

/** More than Excel keeps of a cell. */
export const tooLongForExcel = (answers: readonly SampledAnswer[]): number =>
  answers.flatMap(({ ids: _ids, ...texts }) => Object.values(texts)).filter((text) => text.length > 32_767).length
