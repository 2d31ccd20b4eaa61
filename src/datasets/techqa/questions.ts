import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { badRecords, type BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { isObject, shape, words } from '../formats/shape.ts'

const release = 'TechQA (training_Q_A.json or dev_Q_A.json, with QUESTION_ID, ANSWERABLE, DOCUMENT and ANSWER)'

const common = {
  QUESTION_ID: words,
  QUESTION_TITLE: z.string(),
  QUESTION_TEXT: z.string(),
  DOC_IDS: z.array(z.string()),
}
const question = z.discriminatedUnion('ANSWERABLE', [
  // offsets are written as text
  z.object({
    ...common,
    ANSWERABLE: z.literal('Y'),
    DOCUMENT: words,
    ANSWER: words,
    START_OFFSET: z.coerce.number().int(),
  }),
  z.object({ ...common, ANSWERABLE: z.literal('N') }),
])

/** A question of TechQA; `where` names its place in the file. */
export type TechqaQuestion = z.output<typeof question> & { readonly where: string }

/** The questions of a file. Throws UserError naming line and field of what is malformed. */
export async function techqaQuestions(file: string, bad: BadRecords): Promise<readonly TechqaQuestion[]> {
  const asked: TechqaQuestion[] = []
  for await (const { line, value } of jsonRecords(file, bad)) {
    const where = `${file}:${line}`
    const read = bad.attempt(() => shape(question, value, where, release))
    if (read) asked.push({ ...read, where })
  }
  return asked
}

/** Throws UserError for a copy of RAGBench's techqa that goes about, cut into chunks and without answers: it looks like questions but is none. */
export async function refuseCopy(file: string): Promise<void> {
  for await (const { line, value } of jsonRecords(file, badRecords('skip'))) {
    if (isObject(value) && 'document_chunks' in value)
      throw new UserError(
        `${file}:${line}: a copy that is cut into chunks and has no answers, for tests of indexing only; expected ${release}`,
      )
    return
  }
}
