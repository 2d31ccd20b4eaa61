import { itemAt, slices } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import type { Relevance } from '../../types.ts'
import type { CallResult, EmbeddedText } from '../cache/cache.ts'
import type { ResolvedCall, SharedParts } from '../cache/single-flight.ts'
import type { Able, Connection } from './connection.ts'

/** The scores of texts for a question, in order. A pair that is known or under way is not sent again. */
export async function rerankTexts(
  { identity, provider, send, timed, pay }: Connection<Able<'rerank'>>,
  { calls, tokenizer }: SharedParts,
  question: string,
  texts: readonly string[],
): Promise<readonly ResolvedCall<EmbeddedText>[]> {
  // the length keeps question and text apart
  const keyOf = (text: string): string => sha256(`rerank\n${identity}\n${question.length}\n${question}\n${text}`)
  const keyed = new Map(texts.map((text) => [keyOf(text), text]))
  const tokensOf = (text: string): number => tokenizer.count(question) + tokenizer.count(text)
  const sendBatch = async (batch: readonly string[]): Promise<readonly CallResult<EmbeddedText>[]> => {
    const counted = batch.map(tokensOf)
    const all = counted.reduce((sum, tokens) => sum + tokens, 0)
    const { value, milliseconds } = await pay(
      () => ({ promptTokens: all }),
      () => send((signal) => timed(() => provider.rerank(question, batch, signal))),
      ({ value: { tokens } }) => ({ promptTokens: tokens ?? all }),
    )
    if (value.vectors.length !== batch.length)
      throw new ModelError(
        'server',
        `${provider.name} returned ${value.vectors.length} scores for ${batch.length} texts`,
      )
    return value.vectors.map((vector, index) => {
      if (vector.length !== 2 || !vector.every(Number.isFinite))
        throw new ModelError('server', `${provider.name} returned a score that is not finite for text ${index + 1}`)
      // a share of what the server counts would depend on what else was sent along
      const [tokens, own] = [itemAt(counted, index), batch.length === 1 ? value.tokens : undefined]
      return {
        entry: {
          ...{ vectors: [vector], tokens: own ?? tokens, estimated: own === undefined },
          milliseconds: Math.round((milliseconds / batch.length) * 100) / 100,
        },
      }
    })
  }
  const found = calls.take<EmbeddedText>([...keyed.keys()], (missing) => {
    const batches = [...slices(missing, provider.batch ?? Infinity)]
    return new Map(
      batches.flatMap((keys) => {
        const sent = sendBatch(keys.map((key) => keyed.get(key) ?? ''))
        return keys.map((key, index) => [key, sent.then((made) => itemAt(made, index))] as const)
      }),
    )
  })
  return Promise.all(texts.flatMap((text) => found.get(keyOf(text)) ?? []))
}

/** The score that an entry holds. */
export function relevanceIn({ vectors: [pair] }: EmbeddedText): Relevance {
  const [score = NaN, unread = 0] = pair ?? []
  return { score, unread }
}
