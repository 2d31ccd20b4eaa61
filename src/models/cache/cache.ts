import { ModelError, type ModelErrorKind } from '../../errors.ts'
import type { Completion } from '../provider.ts'

/** Finished calls by key. Entries do not expire; failed calls are never stored. */
export interface Cache {
  /** `before`: written before this cache was opened, or by another process. */
  get(key: string): { readonly entry: CacheEntry; readonly before: boolean } | undefined
  /** Visible to `get` at once, and on disk if that is writable. */
  put(key: string, entry: CacheEntry): void
  close(): Promise<void>
}

/** A cached reply. `estimated`: a count is by our tokenizer. `cutPrompt`: the server read less than half the prompt. */
export interface Reply extends Required<Omit<Completion, 'fallbacks' | 'cachedTokens'>>, Pick<Completion, 'fallbacks'> {
  readonly estimated: boolean
  readonly cutPrompt?: true
}

/** One request with all its replies: the last one is readable, an earlier one was repaired. */
export interface Exchange {
  readonly replies: readonly Reply[]
  /** Whether the last two replies answer one half of the request each. */
  readonly halved?: true
  /** Time of the calls when they were made, without waiting and failed attempts. */
  readonly milliseconds: number
}

/** The vectors of one text: one for all of it, or one per token. All have the same length. */
export interface EmbeddedText {
  readonly vectors: readonly Float32Array[]
  /** As the server counted; if `estimated`, of the whole text by the tokenizer of the run that made the call. */
  readonly tokens: number
  readonly estimated: boolean
  /** The text's share of the time of its batch. */
  readonly milliseconds: number
}

export type CacheEntry = Exchange | EmbeddedText

/** The result of a call. With a `failure` the entry holds the replies paid for, and is not stored. */
export interface CallResult<E extends CacheEntry> {
  readonly entry: E
  readonly failure?: ModelError
}

/** An entry with its vectors as bytes: little-endian 32-bit floats, `width` to a vector. */
type EncodedEntry = Exchange | (Omit<EmbeddedText, 'vectors'> & { readonly width: number; readonly bytes: Uint8Array })

export function encodeEntry(entry: CacheEntry): EncodedEntry {
  if ('replies' in entry) return entry
  const { vectors, ...rest } = entry
  const width = vectors[0]?.length ?? 0
  const floats = new Float32Array(width * vectors.length)
  vectors.forEach((vector, index) => floats.set(vector, index * width))
  return { ...rest, width, bytes: new Uint8Array(floats.buffer) }
}

export function decodeEntry(encoding: EncodedEntry): CacheEntry {
  if ('replies' in encoding) return encoding
  const { width, bytes, ...rest } = encoding
  // a copy, since floats must start at a multiple of four bytes
  const floats = new Float32Array(new Uint8Array(bytes).buffer)
  const count = width === 0 ? 0 : floats.length / width
  const vectors = Array.from({ length: count }, (_, index) => floats.subarray(index * width, (index + 1) * width))
  return { ...rest, vectors }
}

/** The result of a call, and the session (an opened cache, or a distributed run) that stored it. */
interface Written extends CallResult<CacheEntry> {
  readonly session: string
}

interface Head {
  readonly session: string
  readonly failure?: { readonly kind: ModelErrorKind; readonly message: string; readonly raw?: string }
}

/** The length of the JSON, the JSON, the bytes of the vectors. */
export function toBytes({ entry, failure, session }: Written): Uint8Array {
  const encoding = encodeEntry(entry)
  const { kind, message, raw } = failure ?? {}
  const head = { session, ...(failure && { failure: { kind, message, raw } }) }
  const json = Buffer.from(JSON.stringify({ ...head, ...encoding, bytes: undefined }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json, ...('bytes' in encoding ? [encoding.bytes] : [])])
}

/** Reads what `toBytes` wrote. Throws for any other form. */
export function fromBytes(data: Uint8Array): Written {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.length)
  const end = 4 + buffer.readUInt32LE(0)
  const { session, failure, ...rest } = JSON.parse(buffer.toString('utf8', 4, end)) as Head & EncodedEntry
  const entry = decodeEntry('replies' in rest ? rest : { ...rest, bytes: buffer.subarray(end) })
  if (!failure) return { entry, session }
  const { kind, message, raw } = failure
  return { entry, session, failure: new ModelError(kind, message, raw === undefined ? {} : { raw }) }
}
