import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { unknownName } from '../../text/nearest.ts'
import type { Corpus, Document } from '../../types.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/shape.ts'
import type { BadRecords } from '../shared/bad-records.ts'

const written = z.strictObject({ id: words, document: words, question: words, summaries: z.array(words).min(1) })

/**
 * The requests for a summary in a file of JSON objects, each as a corpus of the one document that it is about. Throws UserError naming file
 * and line of what is malformed, and where no document has the name.
 */
export async function* summaryCorpora(
  file: string,
  documents: readonly Document[],
  bad: BadRecords,
): AsyncGenerator<Corpus> {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const read = (line: number, value: unknown): Corpus => {
    const where = `${file}:${line}`
    const { id, document, question, summaries } = shape(written, value, where, 'a request for a summary')
    const about = byId.get(document)
    if (!about) throw new UserError(`${where}: ${unknownName('document', document, [...byId.keys()])}`)
    const reference = { kind: 'summary' as const, accepted: summaries }
    const asked = { id, text: question, reference, evidence: [{ documentId: document }] }
    return { id: document, documents: [about], questions: [asked] }
  }
  for await (const { line, value } of jsonRecords(file, bad)) {
    const corpus = bad.attempt(() => read(line, value))
    if (corpus) yield corpus
  }
}
