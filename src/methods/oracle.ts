import { z } from 'zod'
import { defineMethod } from '../define.ts'
import type { Evidence, Passage } from '../types.ts'
import { wholeDocuments, type WholeDocument } from './whole-documents.ts'

/** The upper bracket of a table: the gold evidence and nothing else. Not a bound: retrieval that adds context may do better. */
export const oracle = defineMethod({
  name: 'oracle',
  summary: 'Returns the gold evidence of each question, outside the budget.',
  options: z.strictObject({
    documents: z
      .boolean()
      .default(false)
      .describe('Return the whole documents that hold the evidence, instead of the words quoted from them.'),
  }),
  sees: 'evidence',
  context: 'unlimited',
  async index(chunks, _models, { documents }) {
    const whole = new Map(wholeDocuments(chunks).map((document) => [document.id, document]))
    return {
      async retrieve({ id, evidence }) {
        if (!evidence) throw new Error(`question ${id} names no evidence`)
        const wanted = documents ? evidence.map(({ documentId }) => ({ documentId })) : evidence
        return distinct(wanted).map((one) => passageOf(one, whole.get(one.documentId), id))
      },
    }
  },
})

/** Each piece of evidence once: annotators often mark the same one. */
const distinct = (evidence: readonly Evidence[]): readonly Evidence[] => [
  ...new Map(evidence.map((one) => [JSON.stringify([one.documentId, one.text]), one])).values(),
]

function passageOf({ documentId, text }: Evidence, document: WholeDocument | undefined, question: string): Passage {
  if (text === undefined) {
    if (!document) throw new Error(`question ${question} names evidence in "${documentId}", which has no text here`)
    return { text: document.text, score: 1, from: document.chunks.map(({ id }) => id), kind: 'chunk' }
  }
  const start = document?.text.indexOf(text) ?? -1
  const from = (document?.chunks ?? [])
    .filter((chunk) => start >= 0 && chunk.start < start + text.length && start < chunk.end)
    .map(({ id }) => id)
  return { text, score: 1, from, kind: 'chunk', ...(start < 0 && { why: { quoted: 'not word for word' } }) }
}
