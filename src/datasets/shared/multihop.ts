import { basename, dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Document } from '../../types.ts'
import { recordsOf, shape } from '../../formats/records.ts'
import { documentId } from './document-of-record.ts'
import { exists } from './official-file.ts'
import type { MalformedRecords } from './published-dataset.ts'

export const corpusFile = z
  .string()
  .nullable()
  .default(null)
  .describe(
    'File of the searched passages {title, text}, relative to the questions file; null takes X_corpus.json next to X.json if it exists, else the paragraphs of the questions',
  )

/** A paragraph as a document: title, line break, text, and an id of both, since titles are not unique. */
export function passage(title: string, paragraph: string): Document {
  const text = `${title}\n${paragraph}`
  return { id: documentId(text), text, title }
}

/** The file of passages that the option names, or that is beside the questions. Throws UserError. */
export async function passagesFile(questions: string, name: string | null): Promise<readonly string[]> {
  const beside = name ?? basename(questions, '.gz').replace('.', '_corpus.')
  const passages = isAbsolute(beside) ? beside : join(dirname(questions), beside)
  for (const file of [passages, `${passages}.gz`]) if (await exists(file)) return [file]
  if (name !== null) throw new UserError(`${passages}: no such file; correct the option "corpusFile"`)
  return []
}

const entry = z.object({ title: z.string(), text: z.string() })
const sentencesByTitle = z.record(z.string(), z.array(z.string()))

/**
 * The passages of a file, by id: {title, text} each, or one object of titles with their sentences, which `joint` joins.
 * Throws UserError when one that a question needs is not among them.
 */
export async function passagesIn(
  file: string,
  requirements: ReadonlyMap<string, Document>,
  {
    questions,
    joint = ' ',
    bad,
  }: { readonly questions: string; readonly joint?: string; readonly bad: MalformedRecords },
): Promise<ReadonlyMap<string, Document>> {
  const passages = new Map<string, Document>()
  const expectation = "HippoRAG's corpus (passages of title and text)"
  for await (const { value, where } of recordsOf(file, z.looseObject({}), expectation, bad)) {
    const byTitle = sentencesByTitle.safeParse(value)
    const entries = byTitle.success
      ? Object.entries(byTitle.data).map(([title, sentences]) => ({ title, text: sentences.join(joint) }))
      : (bad.attempt(() => [shape(entry, value, where, expectation)]) ?? [])
    for (const { title, text } of entries) {
      const document = passage(title, text)
      passages.set(document.id, document)
    }
  }
  for (const [id, { title = '' }] of requirements)
    if (!passages.has(id))
      throw new UserError(
        `${file}: has no paragraph "${title}", which supports an answer in ${questions}; use two files of the same release`,
      )
  return passages
}
