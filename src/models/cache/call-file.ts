import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { isObject } from '../../basics/plain-data.ts'
import { messageOf, UserError } from '../../errors.ts'
import { canonicalJson } from '../../text/hash.ts'
import { jsonIn } from '../../text/json.ts'
import { isPacked, lines } from '../../text/jsonl.ts'
import { type Cache, encodeEntry, decodeEntry, type CacheEntry } from './cache.ts'

/**
 * Writes the calls of `keys` as JSON lines sorted by key, compressed for .gz, atomically. Throws UserError if the cache
 * lacks one of them.
 */
export async function writeCallFile(cache: Cache, file: string, keys: ReadonlySet<string>): Promise<void> {
  const missing = [...keys].filter((key) => !cache.get(key))
  if (missing.length > 0)
    throw new UserError(
      `${missing.length} of the ${keys.size} calls are not in the cache: name the cache of the run with --cache-folder`,
    )
  const temporaryFile = `${file}.${process.pid}.tmp`
  try {
    const pack = isPacked(file) ? [createGzip({ level: 9 })] : []
    await rm(temporaryFile, { force: true })
    await pipeline([Readable.from(linesOf(cache, keys)), ...pack, createWriteStream(temporaryFile, { flags: 'wx' })])
    await rename(temporaryFile, file)
  } catch (error) {
    await rm(temporaryFile, { force: true })
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new UserError(`${file}: cannot be written here (${messageOf(error)}); name another file`, { cause: error })
  }
}

function* linesOf(cache: Cache, keys: ReadonlySet<string>): Generator<string> {
  for (const key of [...keys].sort()) {
    const hit = cache.get(key)
    if (hit) yield `${canonicalJson({ key, ...toJson(hit.entry) })}\n`
  }
}

/** Adds the calls of a file to a cache; those that it has stay. Throws UserError naming the line. */
export async function readCallFile(cache: Cache, file: string): Promise<void> {
  for await (const { line, text } of lines(file)) {
    const { key, entry } = parse(text, `${file}:${line}`)
    if (!cache.get(key)) cache.put(key, entry)
  }
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
        fallbacks: z.array(z.enum(['schema', 'system'])).exactOptional(),
        cutPrompt: z.literal(true).exactOptional(),
      }),
    )
    .min(1),
  halved: z.literal(true).exactOptional(),
  milliseconds: z.number().min(0),
})

const embedding = z
  .strictObject({
    key: z.string().min(1),
    width: count.min(1),
    bytes: z.base64().min(1),
    tokens: count,
    estimated: z.boolean(),
    milliseconds: z.number().min(0),
  })
  .transform(({ bytes, ...rest }) => ({ ...rest, bytes: new Uint8Array(Buffer.from(bytes, 'base64')) }))
  .refine(({ bytes, width }) => bytes.length % (4 * width) === 0, 'bytes is not a whole number of vectors')
  .refine(
    ({ bytes }) => bytes.length % 4 !== 0 || new Float32Array(bytes.buffer).every(Number.isFinite),
    'bytes holds a number that is not finite',
  )

/** Vectors become base64 of their bytes. */
function toJson(entry: CacheEntry) {
  const encoding = encodeEntry(entry)
  return 'bytes' in encoding ? { ...encoding, bytes: Buffer.from(encoding.bytes).toString('base64') } : encoding
}

function parse(text: string, place: string): { key: string; entry: CacheEntry } {
  const value = jsonIn(text)
  if (value === undefined) throw new UserError(`${place}: is not JSON; export the calls again`)
  const isExchange = isObject(value) && 'replies' in value
  const read = (isExchange ? exchange : embedding).safeParse(value)
  if (read.success) {
    const { key, ...encoding } = read.data
    return { key, entry: decodeEntry(encoding) }
  }
  const [issue] = read.error.issues
  throw new UserError(`${place}: is not a stored call: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}
