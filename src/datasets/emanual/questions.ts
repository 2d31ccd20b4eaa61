import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { messageOf, UserError } from '../../errors.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/shape.ts'
import { textOf } from '../formats/text-file.ts'

const release =
  'questions of eManual (CSV with question_id, question, section_path and answer, or JSON with All_Questions)'

/** A question about a manual; `path` is the titles that lead to its section, joined by ">". */
export interface ManualQuestion {
  readonly id: string
  readonly question: string
  readonly path: string
  readonly answer: string
}

const row = z
  .object({ question_id: words, question: words, section_path: z.string(), answer: words })
  .transform(({ question_id, section_path, ...rest }) => ({ ...rest, id: question_id, path: section_path }))

const list = z.object({ All_Questions: z.array(z.unknown()) })
const entry = z
  .object({ 'Section Hierarchy': z.string(), Question: words, Answer: words })
  .transform((one) => ({ question: one.Question, path: one['Section Hierarchy'], answer: one.Answer }))

/**
 * The questions of a file, CSV or JSON by its name; those of a JSON file are numbered from 1. Throws UserError naming file and line of what
 * is malformed, and when there is no question.
 */
export async function manualQuestions(file: string, bad: BadRecords): Promise<readonly ManualQuestion[]> {
  const questions = await (/\.json(\.gz)?$/.test(file) ? jsonQuestions(file, bad) : csvQuestions(file, bad))
  if (questions.length === 0) throw bad.first() ?? new UserError(`${file}: contains no questions; expected ${release}`)
  return questions
}

async function jsonQuestions(file: string, bad: BadRecords): Promise<ManualQuestion[]> {
  const questions: ManualQuestion[] = []
  let number = 0
  for await (const { line, value } of jsonRecords(file, bad)) {
    const where = `${file}:${line}`
    const read = bad.attempt(() => shape(list, value, where, release))
    for (const [index, asked] of (read?.All_Questions ?? []).entries()) {
      const one = bad.attempt(() => shape(entry, asked, where, release, ['All_Questions', index]))
      number++
      if (one) questions.push({ ...one, id: String(number) })
    }
  }
  return questions
}

async function csvQuestions(file: string, bad: BadRecords): Promise<ManualQuestion[]> {
  const pieces: string[] = []
  for await (const piece of textOf(file)) pieces.push(piece)
  // a row may run over several lines: the one named is its last
  return csvRows(file, pieces.join(''), bad.skips).flatMap(
    ({ record, info }) => bad.attempt(() => shape(row, record, `${file}:${info.lines}`, release)) ?? [],
  )
}

function csvRows(file: string, text: string, skips: boolean): { record: unknown; info: { lines: number } }[] {
  try {
    return parse(text, { columns: true, info: true, skip_empty_lines: true, relax_column_count: skips })
  } catch (error) {
    throw new UserError(`${file}: malformed CSV (${messageOf(error)})`, { cause: error })
  }
}
