import { stringify } from 'csv-stringify/sync'
import { UserError } from '../../errors.ts'
import { cellOf } from './cell-values.ts'
import type { Field, FilesOptions } from './options.ts'

/** A question to be written, with one value a field. */
export type WrittenQuestion = Readonly<Record<(typeof writtenFields)[number], string>>

const writtenFields = ['id', 'question', 'answer', 'evidence', 'document', 'tags', 'cluster', 'synthetic'] as const

/** Writes CSV or JSONL by the end of the name. Throws UserError for another, and for a field without a column. */
export function questionsWriter(file: string, { columns: mapping = {} }: Pick<FilesOptions, 'columns'>) {
  const csv = /\.csv$/i.test(file)
  if (!csv && !/\.(jsonl|ndjson)$/i.test(file))
    throw new UserError(`${file}: questions are written as .csv or .jsonl; name such a file with -o`)
  const columns = writtenFields.map((field) => {
    const [name] = [mapping[field] === undefined ? field : (mapping[field] ?? [])].flat()
    if (name === undefined)
      throw new UserError(`dataset.columns.${field} is null: drafted questions need it; give it a name`)
    return { field, name }
  })
  const rowOf = (question: WrittenQuestion, cellText: (text: string, field: Field) => string): Record<string, string> =>
    Object.fromEntries(columns.map(({ field, name }) => [name, cellText(question[field], field)]))
  const cell = (text: string, field: Field) => withFormulaMark(cellOf(text, field))
  return {
    /** Whether a question is read back as it is: no white space around a value. */
    isWritable: (question: WrittenQuestion) =>
      writtenFields.every((field) => question[field] === question[field].trim()),
    text(questions: readonly WrittenQuestion[]): string {
      if (!csv) return questions.map((question) => `${JSON.stringify(rowOf(question, (text) => text))}\n`).join('')
      const rows = questions.map((question) => rowOf(question, cell))
      return stringify(rows, { header: true, columns: columns.map(({ name }) => name) })
    },
  }
}

const withFormulaMark = (text: string) => (/^'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text)

/** Removes the mark of `withFormulaMark`. */
export const withoutFormulaMark = (text: string): string => text.replace(/^'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/, '')
