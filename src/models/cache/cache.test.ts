import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
  appendFileSync,
  cpSync,
  readFileSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { UserError } from '../../errors.ts'
import { mulberry32 } from '../../math/random.ts'
import type { Cache, EmbeddedText, CacheEntry, Exchange } from './cache.ts'
import { openCache, inMemoryCache } from './open-cache.ts'

const root = mkdtempSync(join(tmpdir(), 'gembench-cache-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const exchange = (text: string): Exchange => ({
  replies: [{ text, finish: 'stop', promptTokens: 5, completionTokens: 2, estimated: false }],
  milliseconds: 12.34,
})
const embeddingEntry: EmbeddedText = {
  vectors: [Float32Array.of(0.1, -2, 3e-40), Float32Array.of(1, 0, -0)],
  tokens: 3,
  estimated: true,
  milliseconds: 0.5,
}

/** The first text that a key gives. */
function textAt(cache: Cache, key: string): string | undefined {
  const entry = cache.get(key)?.entry
  return entry && 'replies' in entry ? entry.replies[0]?.text : undefined
}

test.each([
  ['on disk', () => openCache(join(root, 'same'))],
  ['in memory', async () => inMemoryCache()],
])('a cache %s returns entries bit for bit, at once', async (_name, open) => {
  const cache = await open()
  expect(cache.get('b')).toBeUndefined()
  cache.put('b', exchange('first'))
  cache.put('a', embeddingEntry)
  cache.put('b', exchange('second'))
  expect(cache.get('b')).toEqual({ entry: exchange('second'), before: false })
  expect(cache.get('a')).toEqual({ entry: embeddingEntry, before: false })
  await cache.close()
})

test('evicts the oldest entries of a full memory cache', () => {
  const cache = inMemoryCache(1600)
  for (const key of ['a', 'b', 'c']) cache.put(key, exchange('x'.repeat(100)))
  expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true])
})

test('creates its folder with the first entry only, which other opened caches find at once', async () => {
  const place = join(root, 'late', 'calls')
  const [first, second] = [await openCache(place), await openCache(place)]
  expect(first.get('a')).toBeUndefined()
  expect(existsSync(join(root, 'late'))).toBe(false)
  second.put('a', embeddingEntry)
  expect(first.get('a')).toEqual({ entry: embeddingEntry, before: true })
  await Promise.all([first.close(), second.close()])
})

test('throws UserError where no cache can be created', async () => {
  const file = join(root, 'file')
  writeFileSync(file, 'not a folder')
  await expect(openCache(file)).rejects.toBeInstanceOf(UserError)
})

/** Runs lines of a module in another process, with `cache` open on the folder and `exchange` as above. */
function otherProcess(place: string, body: string) {
  const source = `
    import { openCache } from ${JSON.stringify(new URL('./open-cache.ts', import.meta.url).href)}
    const exchange = ${exchange.toString()}
    const cache = await openCache(${JSON.stringify(place)})
    ${body}`
  const file = join(root, `${body.length}-${place.length}.mts`)
  writeFileSync(file, source)
  return spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('loses nothing when two processes write at once', async () => {
  const place = join(root, 'shared')
  const write = (name: string) =>
    otherProcess(
      place,
      `for (let i = 0; i < 500; i++) {
        cache.put('${name}' + i, exchange('${name} ' + i))
        cache.put('both' + i, exchange('same ' + i))
        if (i % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
      }
      await cache.close() // ${name}${'-'.repeat(name.charCodeAt(0) - 97)}`,
    )
  const codes = await Promise.all([write('a'), write('b')].map(async (child) => once(child, 'exit')))
  expect(codes.map(([code]) => code as number)).toEqual([0, 0])
  const cache = await openCache(place)
  for (let i = 0; i < 500; i++)
    expect([`a${i}`, `b${i}`, `both${i}`].map((key) => textAt(cache, key))).toEqual([`a ${i}`, `b ${i}`, `same ${i}`])
  await cache.close()
})

test('stays readable after a process is killed while writing', async () => {
  const place = join(root, 'killed')
  const child = otherProcess(
    place,
    `for (let i = 0; ; i++) {
      cache.put('k' + i, exchange('reply ' + i))
      if (i % 50 === 0) { await new Promise((resolve) => setTimeout(resolve, 1)); console.log(i) }
    }`,
  )
  let writtenCount = 0
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    writtenCount = Number(text.trim().split('\n').at(-1))
    if (writtenCount >= 1000) child.kill('SIGKILL')
  }
  const cache = await openCache(place)
  for (let i = 0; i <= writtenCount; i++) expect(textAt(cache, `k${i}`)).toBe(`reply ${i}`)
  cache.put('after', exchange('after'))
  await cache.close()
})

const entries: Readonly<Record<string, CacheEntry>> = Object.fromEntries(
  Array.from({ length: 20 }, (_, i): [string, CacheEntry] => [
    `key ${i}`,
    i % 2 === 0
      ? { vectors: [Float32Array.from({ length: 50 }, (_, j) => i + j)], tokens: i, estimated: false, milliseconds: 1 }
      : exchange(`reply ${i}`),
  ]),
)

const completeFolder = join(root, 'complete')
const cache = await openCache(completeFolder)
for (const [key, entry] of Object.entries(entries)) cache.put(key, entry)
await cache.close()

let copies = 0
/** A copy of the whole cache, changed. */
function damagedCopy(change: (file: string) => void): string {
  const folder = join(root, String(copies++))
  cpSync(completeFolder, folder, { recursive: true })
  change(join(folder, 'calls.log'))
  return folder
}

/** What each key gives, and what was said of the cache. */
async function readAll(folder: string): Promise<{ missing: string[]; warnings: string[] }> {
  const warnings: string[] = []
  const cache = await openCache(folder, (line) => warnings.push(line))
  const missing = Object.keys(entries).filter((key) => {
    const hit = cache.get(key)
    if (hit) expect(hit, key).toEqual({ entry: entries[key], before: true })
    return !hit
  })
  await cache.close()
  return { missing, warnings }
}

test('loses only the entries with flipped bits', async () => {
  const bytes = readFileSync(join(completeFolder, 'calls.log'))
  const random = mulberry32(5)
  for (let round = 0; round < 300; round++) {
    const folder = damagedCopy((file) => {
      const corruption = Buffer.from(bytes)
      const at = Math.floor(random() * corruption.length)
      corruption[at] = (corruption[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      writeFileSync(file, corruption)
    })
    const { missing, warnings } = await readAll(folder)
    expect(missing.length).toBe(1)
    // of a damaged last head nothing is known but that a record may be on its way
    if (missing[0] !== 'key 19')
      expect(warnings).toEqual([
        expect.stringMatching(/calls\.log: skipped 1 damaged entry; such calls are made again/),
      ])
    rmSync(folder, { recursive: true })
  }
})

test.each([
  [
    'noise',
    (file: string) => writeFileSync(file, Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251))),
  ],
  ['zeros', (file: string) => writeFileSync(file, Buffer.alloc(100_000))],
  ['a text', (file: string) => writeFileSync(file, 'not a cache\n')],
  ['nothing', (file: string) => truncateSync(file)],
])('treats a file of %s as an empty cache that accepts entries', async (_title, change) => {
  const folder = damagedCopy(change)
  expect((await readAll(folder)).missing).toEqual(Object.keys(entries))
  const cache = await openCache(folder)
  for (const [key, entry] of Object.entries(entries)) cache.put(key, entry)
  await cache.close()
  expect((await readAll(folder)).missing).toEqual([])
})

describe('a record that a killed process left unfinished', () => {
  const bytes = readFileSync(join(completeFolder, 'calls.log'))
  const last = bytes.lastIndexOf(Buffer.from([0x93, 0x67, 0x62, 0x01]))

  test.each([1, 10, 23, 24, 40, bytes.length - last - 1])(
    'cut after %i bytes, takes no other with it',
    async (stayingBytes) => {
      const folder = damagedCopy((file) => truncateSync(file, last + stayingBytes))
      expect((await readAll(folder)).missing).toEqual(['key 19'])
      const cache = await openCache(folder)
      const entry = entries['key 19']
      if (entry) cache.put('key 19', entry)
      expect(cache.get('key 19')).toEqual({ entry, before: false })
      await cache.close()
      expect((await readAll(folder)).missing).toEqual([])
    },
  )

  test('may end within later records of other processes', async () => {
    const record = bytes.subarray(last)
    const tear = Buffer.from(record.subarray(0, 30))
    const folder = damagedCopy((file) => {
      writeFileSync(file, tear)
      appendFileSync(file, bytes)
    })
    expect((await readAll(folder)).missing).toEqual([])
  })
})

/** What the file system says while `work` goes on, where it is asked to write, or to open for writing. */
async function withoutWrites(code: string, name: 'writeSync' | 'openSync', work: () => Promise<void>): Promise<void> {
  const before = fs[name] as (...args: readonly unknown[]) => number
  const spy = vi.spyOn(fs, name).mockImplementation((...args: readonly unknown[]) => {
    if (name === 'openSync' && args[1] === 'r') return before(...args)
    throw Object.assign(new Error(`${code}: refused`), { code, syscall: name })
  })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
}

const [entry] = Object.values(entries)

test('keeps entries in memory and warns once when nothing can be written', async () => {
  const warnings: string[] = []
  await withoutWrites('ENOSPC', 'writeSync', async () => {
    const cache = await openCache(mkdtempSync(join(root, 'full-')), (line) => warnings.push(line))
    for (const [key, entry] of Object.entries(entries)) cache.put(key, entry)
    expect(cache.get('key 3')).toEqual({ entry: entries['key 3'], before: false })
    await cache.close()
  })
  expect(warnings).toEqual([
    expect.stringMatching(/calls\.log: cannot be written \(ENOSPC.*\); further calls of this run are not cached$/),
  ])
})

test('reads a read-only cache and warns once', async () => {
  const folder = damagedCopy(() => undefined)
  const warnings: string[] = []
  await withoutWrites('EROFS', 'openSync', async () => {
    const cache = await openCache(folder, (line) => warnings.push(line))
    expect(cache.get('key 1')).toEqual({ entry: entries['key 1'], before: true })
    expect(warnings).toEqual([])
    if (entry) for (const key of ['new', 'newer']) cache.put(key, entry)
    expect(cache.get('newer')).toEqual({ entry, before: false })
    await cache.close()
  })
  expect(warnings).toEqual([expect.stringMatching(/calls\.log: cannot be written \(EROFS.*\); .* are not cached$/)])
})

test('does not follow a link in place of the file', async () => {
  const folder = mkdtempSync(join(root, 'linked-'))
  symlinkSync(join(root, 'outside'), join(folder, 'calls.log'))
  const warnings: string[] = []
  const cache = await openCache(folder, (line) => warnings.push(line))
  if (entry) cache.put('key', entry)
  await cache.close()
  expect(warnings).toEqual([expect.stringContaining('calls.log: is a link; ')])
  expect(existsSync(join(root, 'outside'))).toBe(false)
})
