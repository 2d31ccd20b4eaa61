import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { writeCallFile, openCache, type Cache } from '../../../src/models/index.ts'
import { exportCalls, importCalls } from '../../../src/run/index.ts'
import { canonicalJson } from '../../../src/text/hash.ts'
import { faultIn, checkRefusal, capture } from '../command.ts'
import { usual, type Kind, type Verdict } from '../kind.ts'
import { mutateBytes, mutateRecords } from '../mutate.ts'

type Entry = Parameters<Cache['put']>[1]

const entries: Readonly<Record<string, Entry>> = Object.fromEntries(
  Array.from({ length: 8 }, (_, i): [string, Entry] => [
    `${i}`.repeat(64),
    i % 2 === 0
      ? {
          vectors: [Float32Array.from({ length: 12 }, (_, j) => i + j / 7)],
          tokens: i,
          estimated: false,
          milliseconds: 1,
        }
      : {
          replies: [{ text: `reply ${i} “é”`, finish: 'stop', promptTokens: i, completionTokens: 2, estimated: i > 3 }],
          milliseconds: 2.5,
        },
  ]),
)

/**
 * Imported calls and the log of the cache: a line that cannot be read is refused or counted, and no call gets the reply
 * of another.
 */
const callFile: Kind = {
  ...usual,
  name: 'call-file',
  async open(folder) {
    const original = await openCache(join(folder, 'whole'))
    for (const [key, entry] of Object.entries(entries)) original.put(key, entry)
    await writeCallFile(original, join(folder, 'whole.jsonl'), new Set(Object.keys(entries)))
    await original.close()
    const lines = readFileSync(join(folder, 'whole.jsonl'), 'utf8')
    const log = readFileSync(join(folder, 'whole', 'calls.log'))
    return {
      make(random) {
        if (random() < 0.5) return { of: 'calls.log', bytes: mutateBytes(log, random) }
        return { of: 'call-file', bytes: mutateRecords('whole.jsonl', lines, random) }
      },
      async attempt({ of, bytes }) {
        const home = join(folder, 'cache')
        rmSync(home, { recursive: true, force: true })
        mkdirSync(join(home, 'calls'), { recursive: true })
        if (of === 'calls.log') return damagedFolder(home, bytes, log)
        return importFile(home, join(folder, 'mutant.jsonl'), bytes)
      },
    }
  },
}
export default callFile

/** Reads a damaged log: every entry has its value, and missing entries are counted in a warning. */
async function damagedFolder(home: string, bytes: Uint8Array, original: Buffer): Promise<Verdict> {
  writeFileSync(join(home, 'calls', 'calls.log'), bytes)
  const warnings: string[] = []
  const cache = await openCache(join(home, 'calls'), (line) => warnings.push(line))
  const missing = []
  for (const [key, entry] of Object.entries(entries)) {
    const stored = cache.get(key)
    if (!stored) missing.push(key)
    else if (!isDeepStrictEqual(stored.entry, entry)) return { fault: `another value of the key ${key}` }
  }
  cache.put('f'.repeat(64), entries['0'.repeat(64)] as Entry)
  if (!cache.get('f'.repeat(64))) return { fault: 'what is put into a damaged log is not found' }
  await cache.close()
  const reopened = await openCache(join(home, 'calls'), (line) => warnings.push(line))
  if (!reopened.get('f'.repeat(64))) return { fault: 'what was put into a damaged log is not found again' }
  await reopened.close()
  const isCounted = warnings.some((line) => /damaged entr/.test(line))
  if (missing.length > 0 && bytes.length === original.length && !isCounted)
    return { fault: `${missing.length} missing, without a warning` }
  return { outcome: missing.length === 0 ? 'whole' : isCounted ? 'left out and counted' : 'left out' }
}

/** Imports a damaged file: it is refused in a line with file and line number, or the cache holds its calls. */
async function importFile(home: string, file: string, bytes: Uint8Array): Promise<Verdict> {
  writeFileSync(file, bytes)
  const output = await capture(() => importCalls(home, file))
  const refusal = checkRefusal(output, `${file}:`)
  if (refusal) return refusal
  const exportedFile = join(home, 'back.jsonl')
  const keys = new Set(callsIn(readFileSync(file, 'utf8')).keys())
  const exportOutput = await capture(() => exportCalls(home, exportedFile, keys))
  if (exportOutput.code !== 0 || faultIn(exportOutput))
    return { fault: `cannot be exported again: ${exportOutput.text.slice(0, 500)}` }
  const [imported, exported] = [file, exportedFile].map((path) =>
    canonicalJson(Object.fromEntries(callsIn(readFileSync(path, 'utf8')))),
  )
  return imported === exported ? { outcome: 'imported' } : { fault: 'the cache holds other calls than the file' }
}

/** The calls of a file by key, the first of a key; vectors as bytes. */
function callsIn(text: string): ReadonlyMap<string, unknown> {
  const calls = new Map<string, unknown>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const call = JSON.parse(index === 0 ? line.replace(/^\uFEFF/, '') : line) as { key: string; bytes?: string }
    const bytes = call.bytes === undefined ? {} : { bytes: Buffer.from(call.bytes, 'base64').toString('hex') }
    if (!calls.has(call.key)) calls.set(call.key, { ...call, ...bytes })
  }
  return calls
}
