import { chunk } from '../../chunking/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Prepared } from './prepare.ts'

/** Tokens of the shortest chunk, where no chunk fits the budget: every context of chunks is empty then. Undefined where one fits. */
export async function leastChunkBeyond({
  plan: { chunks, budget },
  corpora,
}: Pick<Prepared, 'plan' | 'corpora'>): Promise<number | undefined> {
  // none is longer than its limit, and the data need not be read
  if (chunks.by !== 'none' && budget.tokens >= chunks.size) return undefined
  const words = tokenizer(chunks.tokenizer)
  let least: number | undefined
  for await (const { documents } of corpora())
    for (const [index, document] of documents.entries())
      for (const { text } of chunk(document, index, chunks, words)) {
        const tokens = words.count(text)
        if (tokens <= budget.tokens) return undefined
        least = Math.min(least ?? Infinity, tokens)
      }
  return least
}
