import { z } from 'zod'
import { defineMethod } from '../define.ts'
import type { Evidence, Passage } from '../types.ts'
import { wholeDocuments, type WholeDocument } from './shared/whole-documents.ts'

/** A reference row of every table: the gold evidence alone. Not a bound: retrieval that adds context may do better. */
export const oracle = defineMethod({
  name: 'oracle',
  summary:
    'Returns the gold evidence of each question, outside the budget; nothing where no answer is right, and a failure where an answer has no evidence.',
  options: z.strictObject({}),
  sees: 'evidence',
  context: 'unlimited',
  ranks: false,
  async index(chunks) {
    const whole = new Map(wholeDocuments(chunks).map((document) => [document.id, document]))
    return {
      async retrieve({ id, evidence }) {
        if (!evidence) throw new Error(`question ${id} has no evidence`)
        const passages = passagesOf(evidence, whole)
        if (evidence.length > 0 && passages.length === 0)
          throw new Error(`question ${id} has evidence only in documents that have no text here`)
        return passages
      },
    }
  },
})

/**
 * The passages of a question: its evidence; what is missing as it is written, a document as far as it has a text here.
 */
const passagesOf = (evidence: readonly Evidence[], whole: ReadonlyMap<string, WholeDocument>): readonly Passage[] =>
  distinct(evidence).flatMap((one) => passageOf(one, whole.get(one.documentId)) ?? [])

/** Each piece of evidence once: annotators often mark the same one. */
const distinct = (evidence: readonly Evidence[]): readonly Evidence[] => [
  ...new Map(evidence.map((one) => [JSON.stringify([one.documentId, one.text, one.start]), one])).values(),
]

/** Undefined for a whole document that has no text here. */
function passageOf(
  { documentId, text, start: said }: Evidence,
  document: WholeDocument | undefined,
): Passage | undefined {
  if (text === undefined) {
    if (!document) return undefined
    const spans = [{ documentId, start: 0, end: document.text.length }]
    return { text: document.text, score: 1, from: document.chunks.map(({ id }) => id), kind: 'chunk', spans }
  }
  const isThere = document && said !== undefined && document.text.startsWith(text, said)
  const start = isThere ? said : (document?.text.indexOf(text) ?? -1)
  if (start < 0) return { text, score: 1, from: [], kind: 'chunk', why: { quoted: 'not word for word' } }
  const end = start + text.length
  const from = (document?.chunks ?? []).filter((chunk) => chunk.start < end && start < chunk.end).map(({ id }) => id)
  return { text, score: 1, from, kind: 'chunk', spans: [{ documentId, start, end }] }
}
