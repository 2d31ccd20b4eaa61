import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { canonicalJson } from '../../text/hash.ts'
import { lines } from '../../text/jsonl.ts'
import type { Cache } from './cache.ts'
import { encodeEntry, decodeEntry, type CacheEntry } from './cache-entry.ts'

/** Writes a cache as JSON lines, sorted by key, and returns how many. The file appears only when it is whole. */
export async function exportCassette(cache: Cache, file: string): Promise<number> {
  let count = 0
  async function* text(): AsyncGenerator<string> {
    for await (const { key, entry } of cache.entries()) {
      count++
      yield `${canonicalJson({ key, ...written(entry) })}\n`
    }
  }
  const unfinished = `${file}.${process.pid}.tmp`
  await pipeline(Readable.from(text()), createWriteStream(unfinished))
  await rename(unfinished, file)
  return count
}

/** What an import did. `conflicting`: keys under which the cache holds another reply, which was kept. */
export interface Imported {
  readonly added: number
  readonly same: number
  readonly conflicting: readonly string[]
}

/** Merges a file that `exportCassette` wrote into a cache. Throws UserError naming file and line of what is malformed. */
export async function importCassette(cache: Cache, file: string): Promise<Imported> {
  let added = 0
  let same = 0
  const conflicting: string[] = []
  for await (const { line, text } of lines(file)) {
    const { key, entry } = parse(text, `${file}:${line}`)
    const known = cache.get(key)
    if (!known) {
      cache.put(key, entry)
      added++
    } else if (replyIn(known.entry) === replyIn(entry)) same++
    else conflicting.push(key)
  }
  return { added, same, conflicting }
}

const count = z.int().min(0)

const exchange = z.strictObject({
  key: z.string().min(1),
  replies: z
    .array(
      z.strictObject({
        text: z.string(),
        finish: z.enum(['stop', 'length', 'filter']),
        promptTokens: count,
        completionTokens: count,
        estimated: z.boolean(),
      }),
    )
    .min(1),
  milliseconds: z.number(),
})

const embedded = z
  .strictObject({
    key: z.string().min(1),
    width: count,
    bytes: z.base64(),
    tokens: count,
    estimated: z.boolean(),
    milliseconds: z.number(),
  })
  .transform(({ bytes, ...rest }) => ({ ...rest, bytes: new Uint8Array(Buffer.from(bytes, 'base64')) }))
  .refine(
    ({ bytes, width }) => (width === 0 ? bytes.length === 0 : bytes.length > 0 && bytes.length % (4 * width) === 0),
    'bytes is not a whole number of vectors',
  )

/** Vectors are written as the base64 of their bytes. */
function written(entry: CacheEntry) {
  const packed = encodeEntry(entry)
  return 'bytes' in packed ? { ...packed, bytes: Buffer.from(packed.bytes).toString('base64') } : packed
}

function parse(text: string, place: string): { key: string; entry: CacheEntry } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UserError(`${place}: is not a line of JSON; export the calls again`)
  }
  const isExchange = value !== null && typeof value === 'object' && 'replies' in value
  const read = (isExchange ? exchange : embedded).safeParse(value)
  if (read.success) {
    const { key, ...packed } = read.data
    return { key, entry: decodeEntry(packed) }
  }
  const [issue] = read.error.issues
  throw new UserError(`${place}: is not a stored call: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

/** All but the time it took, which differs between machines. */
const replyIn = (entry: CacheEntry): string => canonicalJson({ ...written(entry), milliseconds: 0 })
