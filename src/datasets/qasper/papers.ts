import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { isObject, shape } from '../formats/shape.ts'

const release = 'Qasper v0.3 (an object keyed by arXiv id, or papers in columns)'

/** A list of rows, or the same as one object of columns: `{a: [1, 2], b: [3, 4]}` is `[{a: 1, b: 3}, {a: 2, b: 4}]`. */
const rows = <T>(row: z.ZodType<T>) =>
  z.preprocess((value, context) => {
    if (!isObject(value)) return value
    const columns = Object.entries(value)
    const lengths = new Set(columns.map(([, column]) => (Array.isArray(column) ? column.length : -1)))
    const [length = 0, ...others] = lengths
    if (others.length === 0 && length >= 0)
      return Array.from({ length }, (_, index) =>
        Object.fromEntries(columns.map(([name, column]) => [name, (column as unknown[])[index]])),
      )
    context.addIssue({
      code: 'custom',
      message: `the columns have different lengths (${columns.map(([name]) => name).join(', ')})`,
    })
    return z.NEVER
  }, z.array(row))

const answer = z.object({
  unanswerable: z.boolean(),
  extractive_spans: z.array(z.string()),
  free_form_answer: z.string(),
  yes_no: z.boolean().nullable(),
  evidence: z.array(z.string()),
})

const paper = z.object({
  title: z.string(),
  abstract: z.string(),
  full_text: rows(z.object({ section_name: z.string().nullable(), paragraphs: z.array(z.string()) })),
  // absent from v0.1
  figures_and_tables: rows(z.object({ caption: z.string() })).optional(),
  qas: rows(
    z.object({
      question: z.string(),
      question_id: z.string(),
      answers: rows(z.object({ answer })).refine((list) => list.length > 0, 'has no answers'),
    }),
  ),
})

/** What one annotator of Qasper said. */
export type QasperAnswer = z.output<typeof answer>

/** A paper of Qasper; `where` names its place in the file. */
export interface Paper extends z.output<typeof paper> {
  readonly id: string
  readonly where: string
}

/**
 * The papers of a file in any known form: the official object keyed by arXiv id, or papers with an `id` (rows or columns) one a line,
 * in an array, or one after another. Throws UserError naming paper and field of what is malformed.
 */
export async function* papersOf(file: string, bad: BadRecords): AsyncGenerator<Paper> {
  for await (const { line, value } of jsonRecords(file, bad))
    for (const [id, content] of bad.attempt(() => keyed(value, `${file}:${line}`)) ?? []) {
      const where = `${file}:${line}: paper ${id}`
      const read = bad.attempt(() => shape(paper, content, where, release))
      if (read) yield { ...read, id, where }
    }
}

function keyed(value: unknown, where: string): readonly (readonly [string, unknown])[] {
  if (isObject(value) && 'full_text' in value) {
    if (typeof value.id === 'string') return [[value.id, value]]
    throw new UserError(`${where}: the paper has no "id"; expected ${release}`)
  }
  const entries = isObject(value) ? Object.entries(value) : []
  if (entries.length > 0 && entries.every(([, content]) => isObject(content))) return entries
  throw new UserError(`${where}: is not a Qasper paper; expected ${release}`)
}
