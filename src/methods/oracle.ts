import { z } from 'zod'
import { defineMethod } from '../define.ts'
import type { Evidence, Passage } from '../types.ts'
import { wholeDocuments, type WholeDocument } from './shared/whole-documents.ts'

/** Baseline with the gold evidence alone. Not an upper bound: retrieval that adds context may do better. */
export const oracle = defineMethod({
  name: 'oracle',
  summary:
    'Returns the gold evidence of each question, outside the budget; nothing where no answer is right, and a failure where an answer has no evidence.',
  options: z.strictObject({}),
  sees: 'evidence',
  context: 'unlimited',
  ranks: false,
  async index(chunks) {
    const documentById = new Map(wholeDocuments(chunks).map((document) => [document.id, document]))
    return {
      async retrieve({ id, evidence }) {
        if (!evidence) throw new Error(`question ${id} has no evidence`)
        const passages = passagesOf(evidence, documentById)
        if (evidence.length > 0 && passages.length === 0)
          throw new Error(`question ${id} has evidence only in documents that have no text here`)
        return passages
      },
    }
  },
})

/** The evidence as passages, also quotes that are not in the corpus; documents without text are left out. */
const passagesOf = (
  evidence: readonly Evidence[],
  documentById: ReadonlyMap<string, WholeDocument>,
): readonly Passage[] => distinct(evidence).flatMap((item) => passageOf(item, documentById.get(item.documentId)) ?? [])

/** Annotators often mark the same evidence several times. */
const distinct = (evidence: readonly Evidence[]): readonly Evidence[] => [
  ...new Map(evidence.map((item) => [JSON.stringify([item.documentId, item.text, item.start]), item])).values(),
]

/** Undefined for a whole document without text. */
function passageOf(
  { documentId, text, start: statedStart }: Evidence,
  document: WholeDocument | undefined,
): Passage | undefined {
  if (text === undefined) {
    if (!document) return undefined
    const spans = [{ documentId, start: 0, end: document.text.length }]
    return { text: document.text, score: 1, from: document.chunks.map(({ id }) => id), kind: 'chunk', spans }
  }
  const isThere = document && statedStart !== undefined && document.text.startsWith(text, statedStart)
  const start = isThere ? statedStart : (document?.text.indexOf(text) ?? -1)
  if (start < 0) return { text, score: 1, from: [], kind: 'chunk', why: { quoted: 'not word for word' } }
  const end = start + text.length
  const from = (document?.chunks ?? []).filter((chunk) => chunk.start < end && start < chunk.end).map(({ id }) => id)
  return { text, score: 1, from, kind: 'chunk', spans: [{ documentId, start, end }] }
}
