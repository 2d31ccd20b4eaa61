import { z } from 'zod'
import { defineMethod } from '../define.ts'
import type { Evidence, Passage } from '../types.ts'
import {
  chunksBetween,
  placeOfQuote,
  wholeDocuments,
  wholePassage,
  type WholeDocument,
} from './shared/whole-documents.ts'

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

function passageOf(evidence: Evidence, document: WholeDocument | undefined): Passage | undefined {
  const { text } = evidence
  if (text === undefined) return document && wholePassage(document)
  const span = placeOfQuote(evidence, document)
  if (!document || !span) return { text, score: 1, from: [], kind: 'chunk', why: { quoted: 'not word for word' } }
  return { text, score: 1, from: chunksBetween(document.chunks, span), kind: 'chunk', spans: [span] }
}
