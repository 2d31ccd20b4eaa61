import { itemAt } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import { words } from '../../text/words.ts'
import type { EmbedRole } from '../../types.ts'
import type { CallResult, EmbeddedText } from '../cache/cache.ts'
import type { ResolvedCall } from '../cache/single-flight.ts'
import type { Provider } from '../provider.ts'
import { inBatches, shareOf } from './in-batches.ts'
import { CallError } from './retry.ts'
import type { Wrapped } from './wrapped.ts'

/** The embedding of a text, and what the embedder read of it. */
export interface EmbeddedCall extends ResolvedCall<EmbeddedText> {
  readonly reading: Reading
}

/** Texts that an embedder may refuse, one by one, before it has embedded any. */
const mostRefused = 16

/** One vector per text, in order; with a failure for each text that the embedder refuses or makes no vector of. */
export async function embedTexts(
  wrapped: Wrapped,
  embed: NonNullable<Provider['embed']>,
  texts: readonly string[],
  role: EmbedRole,
): Promise<readonly EmbeddedCall[]> {
  const { identity, provider, tokenizer, send } = wrapped
  const sendWhole = async (batch: readonly string[]): Promise<readonly CallResult<EmbeddedText>[]> => {
    const counted = once(() => batch.reduce((sum, text) => sum + tokenizer.count(text), 0))
    const { result, milliseconds } = await send(
      () => ({ embeddedTokens: counted() }),
      (signal) => embed(batch, role, signal),
      (reply) => ({ ...reply, embeddedTokens: reply.tokens ?? counted() }),
    )
    const { vectors } = result
    if (vectors.length !== batch.length)
      throw new ModelError('server', `${provider.name} returned ${vectors.length} vectors for ${batch.length} texts`)
    checkVectors(provider, vectors, batch)
    // a provider counts the batch as a whole; a share of that would depend on what else was sent along
    const tokens = provider.batch === 1 ? result.tokens : undefined
    return batch.map((text, at) => {
      const vector = itemAt(vectors, at)
      const fault = faultOf(provider, vector, text)
      if (fault) return unembedded(fault)
      const entry = { vectors: [vector], tokens: tokens ?? tokenizer.count(text), estimated: tokens === undefined }
      return { entry: { ...entry, milliseconds: shareOf(milliseconds, batch) } }
    })
  }
  let refused = 0
  let isUseful = false
  /** Sends a batch that is refused for one of its texts in halves, down to that text. */
  const sendBatch = async (batch: readonly string[]): Promise<readonly CallResult<EmbeddedText>[]> => {
    try {
      const embedded = await sendWhole(batch)
      isUseful = true
      return embedded
    } catch (error) {
      if (!isOfTexts(error)) throw error
      if (batch.length === 1) {
        if (!isUseful && ++refused >= mostRefused) throw error
        return [unembedded(refusedText(provider, itemAt(batch, 0), error))]
      }
      const middle = Math.ceil(batch.length / 2)
      return [...(await sendBatch(batch.slice(0, middle))), ...(await sendBatch(batch.slice(middle)))]
    }
  }
  const keys = texts.map((text) => keyOf(identity, role, text))
  const embedded = await inBatches(wrapped, keys, texts, sendBatch)
  checkVectors(
    provider,
    embedded.flatMap(({ entry }) => entry.vectors),
    texts.filter((_, at) => !itemAt(embedded, at).failure),
  )
  return embedded.map((call, at) => ({ ...call, reading: readingOf(wrapped, call.entry, itemAt(texts, at), role) }))
}

/** One vector per token of the text, of the last layer; with a failure where it is refused. */
export async function embedTokensOf(
  wrapped: Wrapped,
  embedTokens: NonNullable<Provider['embedTokens']>,
  text: string,
): Promise<EmbeddedCall> {
  const { calls, identity, provider, tokenizer, send } = wrapped
  const embedded = await calls.takeOne<EmbeddedText>(keyOf(identity, 'tokens', text), async () => {
    try {
      const { result, milliseconds } = await send(
        () => ({ embeddedTokens: tokenizer.count(text) }),
        (signal) => embedTokens(text, signal),
        (reply) => ({ ...reply, embeddedTokens: reply.tokens ?? tokenizer.count(text) }),
      )
      const { vectors, tokens, embeddedTokens } = result
      checkVectors(provider, vectors, [text])
      const fault = vectors.map((vector) => faultOf(provider, vector, text)).find(Boolean)
      if (fault) return unembedded(fault)
      return { entry: { vectors, tokens: embeddedTokens, estimated: tokens === undefined, milliseconds } }
    } catch (error) {
      if (!isOfTexts(error)) throw error
      return unembedded(refusedText(provider, text, error))
    }
  })
  return { ...embedded, reading: readingOf(wrapped, embedded.entry, text, 'tokens') }
}

// texts are many and the parts are plain, so the key is hashed without the detour over JSON
const keyOf = (identity: string, role: EmbedRole | 'tokens', text: string): string =>
  sha256(`embed\n${identity}\n${role}\n${text}`)

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
  { provider, tokenizer }: Wrapped,
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
