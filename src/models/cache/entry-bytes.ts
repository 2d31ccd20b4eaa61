import { ModelError, type ModelErrorKind } from '../../errors.ts'
import { decodeEntry, encodeEntry, type CacheEntry, type CallResult, type EncodedEntry } from './cache-entry.ts'

/** What came of a call, and the session (an opened cache, or a run on many machines) in which it was written down. */
export interface Written extends CallResult<CacheEntry> {
  readonly session: string
}

interface Head {
  readonly session: string
  readonly failure?: { readonly kind: ModelErrorKind; readonly message: string; readonly raw?: string }
}

/** The length of the JSON, the JSON, and the bytes of vectors. */
export function toBytes({ entry, failure, session }: Written): Buffer {
  const { bytes = new Uint8Array(), ...rest } = encodeEntry(entry) as { bytes?: Uint8Array }
  const { kind, message, raw } = failure ?? {}
  const head = { session, ...(failure && { failure: { kind, message, raw } }) }
  const json = Buffer.from(JSON.stringify({ ...head, ...rest }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json, bytes])
}

/** What `toBytes` wrote. Throws where the bytes are not of its form. */
export function fromBytes(data: Buffer): Written {
  const end = 4 + data.readUInt32LE(0)
  const { session, failure, ...rest } = JSON.parse(data.toString('utf8', 4, end)) as Head & EncodedEntry
  const entry = decodeEntry('replies' in rest ? rest : { ...rest, bytes: data.subarray(end) })
  if (!failure) return { entry, session }
  const { kind, message, raw } = failure
  return { entry, session, failure: new ModelError(kind, message, raw === undefined ? {} : { raw }) }
}
