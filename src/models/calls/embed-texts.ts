import { itemAt, slices, valueOf } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import { words } from '../../text/words.ts'
import type { EmbedRole } from '../../types.ts'
import type { CallResult, EmbeddedText } from '../cache/cache.ts'
import type { ResolvedCall } from '../cache/single-flight.ts'
import type { Embeddings, Provider } from '../provider.ts'
import { CallError } from './retry.ts'
import type { CallContext } from './call-context.ts'

/** The embedding of a text, and how much of the text the embedder read. */
export interface EmbeddedCall extends ResolvedCall<EmbeddedText> {
  readonly reading: Reading
}

/** Requests the vectors of a batch of texts, or of the tokens of one. */
export type EmbedRequest = (texts: readonly string[], signal: AbortSignal) => Promise<Embeddings>

/** Single texts that an embedder may refuse before it has embedded any. */
const maxRefusals = 16

/**
 * One vector per text, in order, or with the role `tokens` one per token of a single text; a failure for each text that
 * the embedder refuses or returns no vector for.
 */
export async function embedTexts(
  context: CallContext,
  embed: EmbedRequest,
  texts: readonly string[],
  role: EmbedRole | 'tokens',
): Promise<readonly EmbeddedCall[]> {
  const { identity, provider, tokenizer, send } = context
  const requestBatch = async (batch: readonly string[]): Promise<readonly CallResult<EmbeddedText>[]> => {
    const countBatch = once(() => batch.reduce((sum, text) => sum + tokenizer.count(text), 0))
    const { result, milliseconds } = await send(
      () => ({ embeddedTokens: countBatch() }),
      (signal) => embed(batch, signal),
      (reply) => ({ ...reply, embeddedTokens: reply.tokens ?? countBatch() }),
    )
    const vectorsByText = role === 'tokens' ? [result.vectors] : result.vectors.map((vector) => [vector])
    if (vectorsByText.length !== batch.length)
      throw new ModelError(
        'server',
        `${provider.name} returned ${vectorsByText.length} vectors for ${batch.length} texts`,
      )
    checkVectors(provider, result.vectors, batch)
    // a share of the batch's count would depend on its other texts
    const tokens = provider.batch === 1 || role === 'tokens' ? result.tokens : undefined
    return batch.map((text, at) => {
      const vectors = itemAt(vectorsByText, at)
      const fault = vectors.map((vector) => faultOf(provider, vector, text)).find(Boolean)
      if (fault) return withoutVector(fault)
      const entry = { vectors, tokens: tokens ?? tokenizer.count(text), estimated: tokens === undefined }
      return { entry: { ...entry, milliseconds: shareOf(milliseconds, batch) } }
    })
  }
  let refusalCount = 0
  let isUseful = false
  /** Splits a batch that is refused because of its texts, down to single texts. */
  const sendBatch = async (batch: readonly string[]): Promise<readonly CallResult<EmbeddedText>[]> => {
    try {
      const results = await requestBatch(batch)
      isUseful = true
      return results
    } catch (error) {
      if (!isOfTexts(error)) throw error
      if (batch.length === 1) {
        if (!isUseful && ++refusalCount >= maxRefusals) throw error
        return [withoutVector(refusedText(provider, itemAt(batch, 0), error))]
      }
      const middle = Math.ceil(batch.length / 2)
      return [...(await sendBatch(batch.slice(0, middle))), ...(await sendBatch(batch.slice(middle)))]
    }
  }
  const keys = texts.map((text) => keyOf(identity, role, text))
  const results = await inBatches(context, keys, texts, sendBatch)
  checkVectors(
    provider,
    results.flatMap(({ entry }) => entry.vectors),
    texts.filter((_, at) => !itemAt(results, at).failure),
  )
  return results.map((call, at) => ({ ...call, reading: readingOf(context, call.entry, itemAt(texts, at), role) }))
}

// no JSON: texts are many and the parts are plain
const keyOf = (identity: string, role: EmbedRole | 'tokens', text: string): string =>
  sha256(`embed\n${identity}\n${role}\n${text}`)

/** Whether a call failed because of its texts: fewer or different ones may succeed. */
const isOfTexts = (error: unknown): error is ModelError =>
  error instanceof ModelError &&
  (error.kind === 'window' ||
    error.kind === 'refused' ||
    (error.cause instanceof CallError && !error.cause.retryable && error.cause.unusable === undefined))

const withoutVector = (failure: ModelError): CallResult<EmbeddedText> => ({
  entry: { vectors: [], tokens: 0, estimated: false, milliseconds: 0 },
  failure,
})

const refusedText = ({ name }: Provider, text: string, { kind, message, cause }: ModelError): ModelError =>
  new ModelError(kind, `${name} could not embed ${describeText(text)}: ${message}`, { cause })

/** A text by its beginning and its length. */
const describeText = (text: string): string =>
  `${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)} (${text.length.toLocaleString('en-US')} characters)`

/** Why a vector is invalid: not finite, or zero although the text has a word. */
function faultOf(provider: Provider, vector: Float32Array, text: string): ModelError | undefined {
  const isFinite = vector.every(Number.isFinite)
  if (isFinite && (vector.some((value) => value !== 0) || words(text).length === 0)) return undefined
  const problem = isFinite ? 'a vector of zeros alone' : 'a vector with a number that is not finite'
  return new ModelError('server', `${provider.name} returned ${problem} for ${describeText(text)}`)
}

/** Vectors must have one length, and more than two different texts must not share one vector. */
function checkVectors(provider: Provider, vectors: readonly Float32Array[], texts: readonly string[]): void {
  const lengths = new Set(vectors.map((vector) => vector.length))
  if (lengths.size > 1 || lengths.has(0))
    throw new ModelError('server', `${provider.name} returned vectors of the lengths ${[...lengths].join(', ')}`)
  const [first] = vectors
  if (!first || vectors.some((vector) => vector.some((value, at) => value !== first[at]))) return
  const different = new Set(texts.map((text) => comparedWords(text, provider))).size
  if (different > 2)
    throw new ModelError('server', `${provider.name} returned the same vector for ${different} different texts`)
}

/** The first words without accents; for local models only Latin ones, as their tokenizer may know no others. */
function comparedWords(text: string, { baseUrl }: Provider): string {
  const start = text.slice(0, comparedStart).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const startWords = baseUrl === undefined ? (start.toLowerCase().match(/[a-z0-9]+/g) ?? []) : words(start)
  return [...new Set(startWords)].sort().join(' ')
}

/** Characters that every embedder reads, in any script. */
const comparedStart = 100

/** Tokens of a text that an embedder reads and leaves unread. `isEstimate`: counted by the run's tokenizer. */
interface Reading {
  readonly tokens: number
  readonly unread: number
  readonly isEstimate: boolean
}

/** Counted again, so that it does not depend on who filled the cache. */
function readingOf(
  { provider, tokenizer }: CallContext,
  entry: EmbeddedText,
  text: string,
  role: EmbedRole | 'tokens',
): Reading {
  const tokenCount = provider.countTokens?.(text, role)
  const uncutTokens = tokenCount ?? tokenizer.count(text)
  const tokens = Math.min(uncutTokens, provider.readsTokens ?? Infinity)
  const unread = uncutTokens - tokens
  const isServerCount = tokenCount === undefined && !entry.estimated
  return isServerCount
    ? { tokens: entry.tokens, unread, isEstimate: unread > 0 }
    : { tokens, unread, isEstimate: tokenCount === undefined }
}

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

/** The calls of texts, in order. Those neither cached nor in flight are sent in batches. */
function inBatches(
  { calls, provider: { batch: size = Infinity } }: CallContext,
  keys: readonly string[],
  texts: readonly string[],
  send: (batch: readonly string[]) => Promise<readonly CallResult<EmbeddedText>[]>,
): Promise<ResolvedCall<EmbeddedText>[]> {
  const textOf = new Map(keys.map((key, at) => [key, itemAt(texts, at)]))
  const resolvedCalls = calls.take<EmbeddedText>(keys, (missing) =>
    [...slices(missing, size)].flatMap((batch) => {
      const results = send(batch.map((key) => valueOf(textOf, key)))
      return batch.map(async (_, at) => itemAt(await results, at))
    }),
  )
  return Promise.all(keys.map((key) => valueOf(resolvedCalls, key)))
}

/** A text's share of the time of its batch, in milliseconds to the hundredth. */
const shareOf = (milliseconds: number, { length }: readonly string[]): number =>
  Math.round((milliseconds / length) * 100) / 100
