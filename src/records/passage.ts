import { z } from 'zod'
import { count, flatData, number, text, texts, type FromJson } from './parts.ts'

const textSpan = z.object({ documentId: text, start: count, end: count })

/** A part of a document: UTF-16 offsets into its text, the end excluded. */
export type TextSpan = FromJson<z.infer<typeof textSpan>>

const rankedPassage = z.object({
  score: number,
  from: texts,
  kind: z.enum(['chunk', 'summary', 'facts']),
  documents: texts.optional(),
  derived: z.literal(true).optional(),
  evidence: z.array(count).optional(),
  relevant: texts.optional(),
})

/** A passage of a ranking without its text. */
export type RankedPassage = FromJson<z.infer<typeof rankedPassage>>

export const rankedPassages = z.array(rankedPassage)

/** A passage of a context in trials.jsonl: its text has this digest in passages.jsonl. */
export const storedPassage = rankedPassage.extend({
  digest: text,
  tokens: count,
  documents: texts,
  spans: z.array(textSpan),
  order: number.optional(),
  why: flatData.optional(),
  paragraphs: texts.optional(),
})

/**
 * A passage as the answerer saw it. `spans`: the parts of documents that it quotes, or, where `derived` (a summary, or
 * words that stand in no chunk of `from`), was made of; `documents` are theirs, none for derived words that call
 * themselves a chunk. What it quotes, a letter or digit at least, is credited: `evidence` by index, `relevant` chunks
 * by id, `paragraphs` by key; all absent where the question has no evidence or the passage is derived.
 */
export interface ContextPassage extends Omit<FromJson<z.infer<typeof storedPassage>>, 'digest'> {
  readonly text: string
}

export const passageText = z.object({ digest: text, text })

/** A line of passages.jsonl. */
export type PassageText = FromJson<z.infer<typeof passageText>>
