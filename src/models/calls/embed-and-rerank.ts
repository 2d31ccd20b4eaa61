import { itemAt, slices, valueOf } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import { words } from '../../text/words.ts'
import type { EmbedRole, Relevance } from '../../types.ts'
import type { CallResult, EmbeddedText } from '../cache/cache.ts'
import type { ResolvedCall } from '../cache/single-flight.ts'
import type { Provider } from '../provider.ts'
import type { Able, ModelClient } from './client.ts'
import { CallError } from './retry.ts'

/** What came of each of some texts that were sent in one call, by their place. */
type Made = (place: number) => CallResult<EmbeddedText>

/** The calls of texts, in order. One that is known or under way is not sent again; the others go in batches. */
function inBatches(
  keys: readonly string[],
  texts: readonly string[],
  { calls, provider: { batch = Infinity } }: ModelClient,
  send: (batch: readonly string[]) => Promise<Made>,
): Promise<ResolvedCall<EmbeddedText>[]> {
  const keyed = new Map(keys.map((key, place) => [key, itemAt(texts, place)]))
  const found = calls.take<EmbeddedText>(keys, (missing) => {
    const batches = [...slices(missing, batch)].flatMap((wanted) => {
      const sent = send(wanted.map((key) => valueOf(keyed, key)))
      return wanted.map((key, place) => [key, sent.then((made) => made(place))] as const)
    })
    return new Map(batches)
  })
  return Promise.all(keys.map((key) => valueOf(found, key)))
}

/** A share of a time, in milliseconds to the hundredth. */
const shareOf = (milliseconds: number, texts: readonly string[]): number =>
  Math.round((milliseconds / texts.length) * 100) / 100

/** Embedders that have embedded a text in this process. */
const useful = new WeakSet<Provider>()

/** Texts that an embedder may refuse, one by one, before it has embedded any. */
const mostRefused = 16

/** One vector per text, in order; with a failure for each text that the embedder refuses or makes no vector of. */
export async function embedTexts(
  embedder: ModelClient<Able<'embed'>>,
  texts: readonly string[],
  role: EmbedRole,
): Promise<readonly EmbeddedCall[]> {
  const { identity, provider, tokenizer } = embedder
  let refused = 0
  const sendBatch = async (batch: readonly string[]): Promise<Made> => {
    try {
      return await sendWhole(batch)
    } catch (error) {
      if (!isOfTexts(error)) throw error
      const [text] = batch
      if (text !== undefined && batch.length === 1) {
        if (!useful.has(provider) && ++refused >= mostRefused) throw error
        return () => unembedded(refusedText(provider, text, error))
      }
      const middle = Math.ceil(batch.length / 2)
      const [first, second] = [await sendBatch(batch.slice(0, middle)), await sendBatch(batch.slice(middle))]
      return (place) => (place < middle ? first(place) : second(place - middle))
    }
  }
  const sendWhole = async (batch: readonly string[]): Promise<Made> => {
    const counted = once(() => batch.reduce((sum, text) => sum + tokenizer.count(text), 0))
    const { result, milliseconds } = await embedder.request(
      () => ({ embeddedTokens: counted() }),
      (signal) => provider.embed(batch, role, signal),
      (reply) => ({ ...reply, embeddedTokens: reply.tokens ?? counted() }),
    )
    const { vectors } = result
    if (vectors.length !== batch.length)
      throw new ModelError('server', `${provider.name} returned ${vectors.length} vectors for ${batch.length} texts`)
    checkVectors(provider, vectors, batch)
    useful.add(provider)
    // a provider counts the batch as a whole; a share of that would depend on what else was sent along
    const tokens = provider.batch === 1 ? result.tokens : undefined
    return (place) => {
      const [vector, text] = [itemAt(vectors, place), itemAt(batch, place)]
      const fault = faultOf(provider, vector, text)
      if (fault) return unembedded(fault)
      const entry = { vectors: [vector], tokens: tokens ?? tokenizer.count(text), estimated: tokens === undefined }
      return { entry: { ...entry, milliseconds: shareOf(milliseconds, batch) } }
    }
  }
  const keys = texts.map((text) => keyOf(identity, role, text))
  const embedded = await inBatches(keys, texts, embedder, sendBatch)
  checkVectors(
    provider,
    embedded.flatMap(({ entry }) => entry.vectors),
    texts.filter((_, at) => !itemAt(embedded, at).failure),
  )
  return embedded.map((one, at) => ({ ...one, reading: readingOf(embedder, one.entry, itemAt(texts, at), role) }))
}

/** What came of the embedding of a text, and what the embedder read of it. */
export interface EmbeddedCall extends ResolvedCall<EmbeddedText> {
  readonly reading: Reading
}

/** Whether a call failed for what its texts hold: fewer of them, or others, may succeed. */
const isOfTexts = (error: unknown): error is ModelError =>
  error instanceof ModelError &&
  (error.kind === 'window' ||
    error.kind === 'refused' ||
    (error.cause instanceof CallError && !error.cause.retryable && error.cause.unusable === undefined))

const unembedded = (failure: ModelError): CallResult<EmbeddedText> => ({
  entry: { vectors: [], tokens: 0, estimated: false, milliseconds: 0 },
  failure,
})

const refusedText = ({ name }: Provider, text: string, { kind, message, cause }: ModelError): ModelError =>
  new ModelError(kind, `${name} could not embed ${named(text)}: ${message}`, { cause })

/** A text by its beginning and its length. */
const named = (text: string): string =>
  `${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)} (${text.length.toLocaleString('en-US')} characters)`

/** The scores of texts for a question, in order: two numbers each in place of a vector. */
export async function rerankTexts(
  reranker: ModelClient<Able<'rerank'>>,
  question: string,
  texts: readonly string[],
): Promise<readonly ResolvedCall<EmbeddedText>[]> {
  const { identity, provider, tokenizer } = reranker
  const sendBatch = async (batch: readonly string[]): Promise<Made> => {
    const counted = batch.map((text) => tokenizer.count(question) + tokenizer.count(text))
    const all = counted.reduce((sum, tokens) => sum + tokens, 0)
    const { result, milliseconds } = await reranker.request(
      () => ({ promptTokens: all }),
      (signal) => provider.rerank(question, batch, signal),
      (reply) => ({ ...reply, promptTokens: reply.tokens ?? all }),
    )
    const { vectors } = result
    if (vectors.length !== batch.length)
      throw new ModelError('server', `${provider.name} returned ${vectors.length} scores for ${batch.length} texts`)
    const bad = vectors.findIndex((vector) => vector.length !== 2 || !vector.every(Number.isFinite))
    if (bad >= 0)
      throw new ModelError('server', `${provider.name} returned a score that is not finite for text ${bad + 1}`)
    // a share of what the server counts would depend on what else was sent along
    const own = batch.length === 1 ? result.tokens : undefined
    return (place) => {
      const tokens = own ?? itemAt(counted, place)
      const entry = { vectors: [itemAt(vectors, place)], tokens, estimated: own === undefined }
      return { entry: { ...entry, milliseconds: shareOf(milliseconds, batch) } }
    }
  }
  // the length keeps question and text apart
  const keys = texts.map((text) => sha256(`rerank\n${identity}\n${question.length}\n${question}\n${text}`))
  return inBatches(keys, texts, reranker, sendBatch)
}

/** The score that an entry of a reranked text holds. */
export function relevanceIn({ vectors: [pair] }: EmbeddedText): Relevance {
  if (!pair) throw new Error('a score without its numbers')
  return { score: itemAt(pair, 0), unread: itemAt(pair, 1) }
}

/** One vector per token of the text, of the last layer; with a failure where it is refused. */
export async function embedTokensOf(embedder: ModelClient<Able<'embedTokens'>>, text: string): Promise<EmbeddedCall> {
  const { calls, identity, provider, tokenizer } = embedder
  const key = keyOf(identity, 'tokens', text)
  const call = async (): Promise<CallResult<EmbeddedText>> => {
    const { result, milliseconds } = await embedder.request(
      () => ({ embeddedTokens: tokenizer.count(text) }),
      (signal) => provider.embedTokens(text, signal),
      (reply) => ({ ...reply, embeddedTokens: reply.tokens ?? tokenizer.count(text) }),
    )
    const { vectors, tokens, embeddedTokens } = result
    checkVectors(provider, vectors, [text])
    const fault = vectors.map((vector) => faultOf(provider, vector, text)).find(Boolean)
    if (fault) return unembedded(fault)
    return {
      entry: { vectors, tokens: embeddedTokens, estimated: tokens === undefined, milliseconds },
    }
  }
  const embedded = await calls.takeOne(key, async () => {
    try {
      return await call()
    } catch (error) {
      if (!isOfTexts(error)) throw error
      return unembedded(refusedText(provider, text, error))
    }
  })
  return { ...embedded, reading: readingOf(embedder, embedded.entry, text, 'tokens') }
}

// texts are many and the parts are plain, so the key is hashed without the detour over JSON
const keyOf = (identity: string, role: EmbedRole | 'tokens', text: string): string =>
  sha256(`embed\n${identity}\n${role}\n${text}`)

/** Why a vector is none of its text: it is not finite, or zero though the text has a word, and so near to nothing. */
function faultOf(provider: Provider, vector: Float32Array, text: string): ModelError | undefined {
  const isFinite = vector.every(Number.isFinite)
  if (isFinite && (vector.some((value) => value !== 0) || words(text).length === 0)) return undefined
  const what = isFinite ? 'a vector of zeros alone' : 'a vector with a number that is not finite'
  return new ModelError('server', `${provider.name} returned ${what} for ${named(text)}`)
}

/** All must have one length, and more than two texts of different words may not have one vector. */
function checkVectors(provider: Provider, vectors: readonly Float32Array[], texts: readonly string[]): void {
  const lengths = new Set(vectors.map((vector) => vector.length))
  if (lengths.size > 1 || lengths.has(0))
    throw new ModelError('server', `${provider.name} returned vectors of the lengths ${[...lengths].join(', ')}`)
  const [first] = vectors
  if (!first || vectors.some((vector) => vector.some((value, at) => value !== first[at]))) return
  const different = new Set(texts.map((text) => comparedWords(text, provider))).size
  if (different > 2)
    throw new ModelError('server', `${provider.name} returned one and the same vector for ${different} different texts`)
}

/** The first words, without accents; on this computer Latin ones alone, since its tokenizer may know no others. */
function comparedWords(text: string, { baseUrl }: Provider): string {
  const start = text.slice(0, comparedStart).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const found = baseUrl === undefined ? (start.toLowerCase().match(/[a-z0-9]+/g) ?? []) : words(start)
  return [...new Set(found)].sort().join(' ')
}

/** Characters at the beginning of a text, fewer than any embedder reads in any script. */
const comparedStart = 100

/** What an embedder reads of a text, and what it cuts off, in tokens. `estimated`: by the run's tokenizer. */
interface Reading {
  readonly tokens: number
  readonly unread: number
  readonly estimated: boolean
}

/** The reading of an embedded text, counted anew, so that it is the same whoever filled the cache. */
function readingOf(
  { provider, tokenizer }: ModelClient,
  entry: EmbeddedText,
  text: string,
  role: EmbedRole | 'tokens',
): Reading {
  const counted = provider.countTokens?.(text, role)
  const whole = counted ?? tokenizer.count(text)
  const tokens = Math.min(whole, provider.readsTokens ?? Infinity)
  const unread = whole - tokens
  const isServerCount = counted === undefined && !entry.estimated
  return isServerCount
    ? { tokens: entry.tokens, unread, estimated: unread > 0 }
    : { tokens, unread, estimated: counted === undefined }
}
