import { z } from 'zod'
import { number, phase, row, type FromJson } from './parts.ts'

export const usage = z.object({
  calls: number,
  promptTokens: number,
  completionTokens: number,
  embeddedTokens: number,
  /** Of the tokens, those that were counted by our tokenizer. */
  estimated: number,
  /** Of the calls, those to an embedder. */
  embeddingCalls: number.optional(),
  /** Texts that were embedded, each as often as it was requested. */
  embeddedTexts: number.optional(),
  /** Of the prompt tokens, those that a rerank model reads, and its texts. */
  rankedTokens: number.optional(),
  rankedTexts: number.optional(),
  /** Embedded texts longer than the embedder reads, and their tokens that it did not read. */
  cutTexts: number.optional(),
  unreadTokens: number.optional(),
  /** Replies that ended at the token limit. */
  cut: number.optional(),
  /** Replies that had to be mended, or requested once more, before they could be read. */
  repaired: number.optional(),
  /** Replies read without the items that did not fit, and the number of those items. */
  partial: number.optional(),
  skippedItems: number.optional(),
  /** Calls without the schema of their replies, or without the system role, since the server refuses it. */
  withoutSchema: number.optional(),
  withoutSystem: number.optional(),
  /** Calls of which the server has read less than half of the prompt, by its own count. */
  cutPrompts: number.optional(),
})

/** Tokens and calls, cached ones too; what is optional is absent where it is 0. */
export type Usage = FromJson<z.infer<typeof usage>>

export const timingLine = row.extend({
  phase,
  cached: number,
  milliseconds: number,
  /** Of these, the time of embedding calls; absent where there was none. */
  embeddingMilliseconds: number.optional(),
  /** Texts that were embedded for it, and their tokens, without those in the cache; absent where there are none. */
  newTexts: number.optional(),
  newEmbeddedTokens: number.optional(),
})

/** A line of meter.jsonl: what depends on the machine and its cache. */
export type TimingLine = FromJson<z.infer<typeof timingLine>>
