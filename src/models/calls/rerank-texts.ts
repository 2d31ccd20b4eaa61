import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import type { CallResult, EmbeddedText } from '../cache/cache.ts'
import type { ResolvedCall } from '../cache/single-flight.ts'
import type { Provider } from '../provider.ts'
import { inBatches, shareOf } from './embed-texts.ts'
import type { CallContext } from './call-context.ts'

/** The scores of texts for a question, in order: two numbers each in place of a vector. */
export function rerankTexts(
  context: CallContext,
  rerank: NonNullable<Provider['rerank']>,
  question: string,
  texts: readonly string[],
): Promise<readonly ResolvedCall<EmbeddedText>[]> {
  const { identity, provider, tokenizer, send } = context
  const sendBatch = async (batch: readonly string[]): Promise<readonly CallResult<EmbeddedText>[]> => {
    const tokenCounts = batch.map((text) => tokenizer.count(question) + tokenizer.count(text))
    const all = tokenCounts.reduce((sum, tokens) => sum + tokens, 0)
    const { result, milliseconds } = await send(
      () => ({ promptTokens: all }),
      (signal) => rerank(question, batch, signal),
      (reply) => ({ ...reply, promptTokens: reply.tokens ?? all }),
    )
    const { vectors } = result
    if (vectors.length !== batch.length)
      throw new ModelError('server', `${provider.name} returned ${vectors.length} scores for ${batch.length} texts`)
    const bad = vectors.findIndex((vector) => vector.length !== 2 || !vector.every(Number.isFinite))
    if (bad >= 0)
      throw new ModelError('server', `${provider.name} returned a score that is not finite for text ${bad + 1}`)
    // a share of the server's count would depend on the other texts of the batch
    const tokens = batch.length === 1 ? result.tokens : undefined
    return vectors.map((vector, at) => ({
      entry: {
        vectors: [vector],
        tokens: tokens ?? itemAt(tokenCounts, at),
        estimated: tokens === undefined,
        milliseconds: shareOf(milliseconds, batch),
      },
    }))
  }
  // the length delimits question and text
  const keys = texts.map((text) => sha256(`rerank\n${identity}\n${question.length}\n${question}\n${text}`))
  return inBatches(context, keys, texts, sendBatch)
}
