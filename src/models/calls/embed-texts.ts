import { slices } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import { words } from '../../text/words.ts'
import type { EmbedRole } from '../../types.ts'
import type { CallResult, EmbeddedText } from '../cache/cache.ts'
import type { ResolvedCall, SharedParts } from '../cache/single-flight.ts'
import type { Provider } from '../provider.ts'
import type { Able, Connection } from './connection.ts'

/** One vector per text, in order. A text that is known or under way is not sent again; the others go in batches. */
export async function embedTexts(
  embedder: Connection<Able<'embed'>>,
  { calls, tokenizer }: SharedParts,
  texts: readonly string[],
  role: EmbedRole,
): Promise<readonly ResolvedCall<EmbeddedText>[]> {
  const { identity, provider } = embedder
  const keyed = texts.map((text) => [keyOf(identity, role, text), text] as const)
  const keys = keyed.map(([key]) => key)
  const found = calls.take<EmbeddedText>(keys, (missing) => {
    const lacking = new Set(missing)
    const wanted = [...new Map(keyed)].filter(([key]) => lacking.has(key))
    const batches = [...slices(wanted, provider.batch ?? Infinity)]
    return new Map(batches.flatMap((batch) => [...embedBatch(embedder, tokenizer, new Map(batch), role)]))
  })
  const embedded = await Promise.all(keys.flatMap((key) => found.get(key) ?? []))
  const vectors = embedded.flatMap(({ entry }) => entry.vectors)
  checkLengths(provider, vectors)
  checkDifferent(provider, vectors, texts)
  return embedded
}

/** One vector per token of the text, of the last layer or of another one. */
export async function embedTokensOf(
  { identity, provider, send, timed, pay }: Connection<Able<'embedTokens'>>,
  { calls, tokenizer }: SharedParts,
  text: string,
  layer?: number,
): Promise<ResolvedCall<EmbeddedText>> {
  const key = keyOf(identity, layer === undefined ? 'tokens' : `tokens of layer ${layer}`, text)
  const call = async (): Promise<CallResult<EmbeddedText>> => {
    const { value, milliseconds } = await pay(
      () => ({ embeddedTokens: tokenizer.count(text) }),
      () => send((signal) => timed(() => provider.embedTokens(text, signal, layer))),
      ({ value: { tokens } }) => ({ embeddedTokens: tokens ?? tokenizer.count(text) }),
    )
    const { vectors, tokens } = value
    checkLengths(provider, vectors)
    for (const vector of vectors) checkVector(provider, vector, text)
    return {
      entry: { vectors, tokens: tokens ?? tokenizer.count(text), estimated: tokens === undefined, milliseconds },
    }
  }
  return calls.takeOne(key, call)
}

// texts are many and the parts are plain, so the key is hashed without the detour over JSON
const keyOf = (identity: string, role: EmbedRole | 'tokens' | `tokens of layer ${number}`, text: string): string =>
  sha256(`embed\n${identity}\n${role}\n${text}`)

/** Sends texts, by key, in one call; gives what will come of each. */
function embedBatch(
  { provider, send, timed, pay }: Connection<Able<'embed'>>,
  tokenizer: Tokenizer,
  batch: ReadonlyMap<string, string>,
  role: EmbedRole,
): Map<string, Promise<CallResult<EmbeddedText>>> {
  const texts = [...batch.values()]
  const counted = once(() => texts.reduce((sum, text) => sum + tokenizer.count(text), 0))
  const call = pay(
    () => ({ embeddedTokens: counted() }),
    () => send((signal) => timed(() => provider.embed(texts, role, signal))),
    ({ value: { tokens } }) => ({ embeddedTokens: tokens ?? counted() }),
  )
  const sent = call.then(({ value, milliseconds }) => {
    if (value.vectors.length !== texts.length)
      throw new ModelError(
        'server',
        `${provider.name} returned ${value.vectors.length} vectors for ${texts.length} texts`,
      )
    checkLengths(provider, value.vectors)
    checkDifferent(provider, value.vectors, texts)
    // a provider counts the batch as a whole; a share of that would depend on what else was sent along
    const tokens = provider.batch === 1 ? value.tokens : undefined
    return { vectors: value.vectors, tokens, milliseconds: Math.round((milliseconds / texts.length) * 100) / 100 }
  })
  const made = async (text: string, index: number): Promise<CallResult<EmbeddedText>> => {
    const { vectors, tokens, milliseconds } = await sent
    const own = vectors.slice(index, index + 1)
    for (const vector of own) checkVector(provider, vector, text)
    return {
      entry: { vectors: own, tokens: tokens ?? tokenizer.count(text), estimated: tokens === undefined, milliseconds },
    }
  }
  return new Map([...batch].map(([key, text], index) => [key, made(text, index)]))
}

/** Finite, and not zero where the text has a word: such a vector is near to nothing. */
function checkVector(provider: Provider, vector: Float32Array, text: string): void {
  const isFinite = vector.every(Number.isFinite)
  if (isFinite && (vector.some((value) => value !== 0) || words(text).length === 0)) return
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  const what = isFinite ? 'a vector of zeros alone' : 'a vector with a number that is not finite'
  throw new ModelError('server', `${provider.name} returned ${what} for ${JSON.stringify(shown)}`)
}

/** Three texts of different words and more may not have one vector: then every ranking would be arbitrary. */
function checkDifferent(provider: Provider, vectors: readonly Float32Array[], texts: readonly string[]): void {
  const [first] = vectors
  if (!first || vectors.some((vector) => vector.some((value, at) => value !== first[at]))) return
  const different = new Set(texts.map((text) => comparedWords(text, provider))).size
  if (different > 2)
    throw new ModelError('server', `${provider.name} returned one and the same vector for ${different} different texts`)
}

/**
 * The words in which texts must differ to have different vectors: those at the beginning, since an embedder reads no
 * more, without accents, which many leave out; of a model on this computer Latin words alone, since others may all be
 * unknown to its tokenizer.
 */
function comparedWords(text: string, { baseUrl }: Provider): string {
  const start = text.slice(0, comparedStart).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const found = baseUrl === undefined ? (start.toLowerCase().match(/[a-z0-9]+/g) ?? []) : words(start)
  return [...new Set(found)].sort().join(' ')
}

/** Characters at the beginning of a text, fewer than any embedder reads in any script. */
const comparedStart = 100

function checkLengths(provider: Provider, vectors: readonly Float32Array[]): void {
  const lengths = new Set(vectors.map((vector) => vector.length))
  if (lengths.size > 1 || lengths.has(0))
    throw new ModelError('server', `${provider.name} returned vectors of the lengths ${[...lengths].join(', ')}`)
}

/** What an embedder reads of a text, and what it cuts off, in tokens. `estimated`: by the run's tokenizer. */
export interface Reading {
  readonly tokens: number
  readonly unread: number
  readonly estimated: boolean
}

/** The reading of a text before it is embedded. */
export function readingOf(
  provider: Pick<Provider, 'readsTokens' | 'countTokens'>,
  tokenizer: Tokenizer,
  text: string,
  role: EmbedRole | 'tokens',
): Reading {
  const counted = provider.countTokens?.(text, role)
  const whole = counted ?? tokenizer.count(text)
  const tokens = Math.min(whole, provider.readsTokens ?? Infinity)
  return { tokens, unread: whole - tokens, estimated: counted === undefined }
}

/** The reading of an embedded text, counted anew, so that it is the same whoever filled the cache. */
export function readingOfEntry(entry: EmbeddedText, ...asked: Parameters<typeof readingOf>): Reading {
  const reading = readingOf(...asked)
  if (entry.estimated || !reading.estimated) return reading
  return { ...reading, tokens: entry.tokens, estimated: reading.unread > 0 }
}
