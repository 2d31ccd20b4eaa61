import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { writeCallFile, openCache, type Cache } from '../../../src/models/index.ts'
import { exportCalls, importCalls } from '../../../src/run/index.ts'
import { canonicalJson } from '../../../src/text/hash.ts'
import { faultIn, refusal, message } from '../command.ts'
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

/** Imported calls, and the file of the cache: what cannot be read is refused or counted, and no reply is another's. */
const cassette: Kind = {
  ...usual,
  name: 'cassette',
  async open(folder) {
    const original = await openCache(join(folder, 'whole'))
    for (const [key, entry] of Object.entries(entries)) original.put(key, entry)
    await writeCallFile(original, join(folder, 'whole.jsonl'))
    await original.close()
    const lines = readFileSync(join(folder, 'whole.jsonl'), 'utf8')
    const log = readFileSync(join(folder, 'whole', 'calls.log'))
    return {
      make(random) {
        if (random() < 0.5) return { of: 'calls.log', bytes: mutateBytes(log, random) }
        return { of: 'cassette', bytes: mutateRecords('whole.jsonl', lines, random) }
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
export default cassette

/** What is read of a damaged log is what was put in; where bytes changed, what is missing is said. */
async function damagedFolder(home: string, bytes: Uint8Array, original: Buffer): Promise<Verdict> {
  writeFileSync(join(home, 'calls', 'calls.log'), bytes)
  const warnings: string[] = []
  const cache = await openCache(join(home, 'calls'), (line) => warnings.push(line))
  const missing = []
  for (const [key, entry] of Object.entries(entries)) {
    const results = cache.get(key)
    if (!results) missing.push(key)
    else if (!isDeepStrictEqual(results.entry, entry)) return { fault: `another value of the key ${key}` }
  }
  let listed = 0
  for await (const { key, entry } of cache.entries()) {
    listed++
    if (!isDeepStrictEqual(entry, entries[key])) return { fault: `another value is listed under the key ${key}` }
  }
  if (listed !== Object.keys(entries).length - missing.length)
    return { fault: 'not every call that is found is listed' }
  cache.put('f'.repeat(64), entries['0'.repeat(64)] as Entry)
  if (!cache.get('f'.repeat(64))) return { fault: 'what is put into a damaged log is not found' }
  await cache.close()
  const again = await openCache(join(home, 'calls'), (line) => warnings.push(line))
  if (!again.get('f'.repeat(64))) return { fault: 'what was put into a damaged log is not found again' }
  await again.close()
  const countedFields = warnings.some((line) => /damaged entr/.test(line))
  if (missing.length > 0 && bytes.length === original.length && !countedFields)
    return { fault: `${missing.length} missing, and nothing is said` }
  return { outcome: missing.length === 0 ? 'whole' : countedFields ? 'left out and counted' : 'left out' }
}

/** An import is refused in a line that names file and line, or the cache holds what the lines say. */
async function importFile(home: string, file: string, bytes: Uint8Array): Promise<Verdict> {
  writeFileSync(file, bytes)
  const item = await message(() => importCalls(home, file))
  const refusalVerdict = refusal(item, `${file}:`)
  if (refusalVerdict) return refusalVerdict
  const back = join(home, 'back.jsonl')
  const exportResult = await message(() => exportCalls(home, back))
  if (exportResult.code !== 0 || faultIn(exportResult))
    return { fault: `cannot be exported again: ${exportResult.text.slice(0, 500)}` }
  const [args, copies] = [file, back].map((path) => callsIn(readFileSync(path, 'utf8')))
  return args === copies ? { outcome: 'imported' } : { fault: 'the cache holds other calls than the file' }
}

/** The calls of a file as JSON, sorted by key, the first of a key; vectors as bytes. */
function callsIn(text: string): string {
  const calls = new Map<string, unknown>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const call = JSON.parse(index === 0 ? line.replace(/^\uFEFF/, '') : line) as { key: string; bytes?: string }
    const bytes = call.bytes === undefined ? {} : { bytes: Buffer.from(call.bytes, 'base64').toString('hex') }
    if (!calls.has(call.key)) calls.set(call.key, { ...call, ...bytes })
  }
  return canonicalJson(Object.fromEntries(calls))
}
