import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
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

const folder = mkdtempSync(join(tmpdir(), 'gembench-cache-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exchange = (text: string): Exchange => ({
  replies: [{ text, finish: 'stop', promptTokens: 5, completionTokens: 2, estimated: false }],
  milliseconds: 12.34,
})
const embedded: EmbeddedText = {
  vectors: [Float32Array.of(0.1, -2, 3e-40), Float32Array.of(1, 0, -0)],
  tokens: 3,
  estimated: true,
  milliseconds: 0.5,
}

async function everything(cache: Cache): Promise<Record<string, CacheEntry>> {
  const all: [string, CacheEntry][] = []
  for await (const { key, entry } of cache.entries()) all.push([key, entry])
  return Object.fromEntries(all)
}

describe.each([
  ['on disk', () => openCache(join(folder, 'same'))],
  ['in memory', async () => inMemoryCache()],
])('a cache %s', (_name, open) => {
  test('gives back what was put, at once and bit for bit, sorted by key', async () => {
    const cache = await open()
    expect(cache.get('b')).toBeUndefined()
    cache.put('b', exchange('first'))
    cache.put('a', embedded)
    cache.put('b', exchange('second'))
    expect(cache.get('b')).toEqual({ entry: exchange('second'), before: false })
    const all = await everything(cache)
    expect(Object.keys(all)).toEqual(['a', 'b'])
    expect(all).toEqual({ a: embedded, b: exchange('second') })
    expect(cache.get('a')).toEqual({ entry: embedded, before: false })
    await cache.close()
  })
})

test('what an earlier run wrote was there before', async () => {
  const place = join(folder, 'before.d')
  const first = await openCache(place)
  first.put('a', exchange('á ✓'))
  await first.close()
  const second = await openCache(place)
  expect(second.get('a')).toEqual({ entry: exchange('á ✓'), before: true })
  second.put('b', embedded)
  await everything(second)
  expect(second.get('b')).toEqual({ entry: embedded, before: false })
  await second.close()
})

test('a memory cache forgets the oldest when it is full', () => {
  const cache = inMemoryCache(1600)
  for (const key of ['a', 'b', 'c']) cache.put(key, exchange('x'.repeat(100)))
  expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true])
})

test('a folder is made with the first entry, and nothing is left where there is none', async () => {
  const place = join(folder, 'late', 'calls')
  const empty = await openCache(place)
  expect(empty.get('a')).toBeUndefined()
  expect(await everything(empty)).toEqual({})
  await empty.close()
  expect(existsSync(join(folder, 'late'))).toBe(false)
  const [one, other] = [await openCache(place), await openCache(place)]
  other.put('a', embedded)
  expect(one.get('a')).toEqual({ entry: embedded, before: true })
  one.put('b', embedded)
  expect(Object.keys(await everything(other))).toEqual(['a', 'b'])
  await Promise.all([one.close(), other.close()])
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a place where no cache can be is a mistake of a person', async () => {
  const file = join(folder, 'file')
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
  const file = join(folder, `${body.length}-${place.length}.mts`)
  writeFileSync(file, source)
  return spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('two processes may write at once, and nothing is lost', async () => {
  const place = join(folder, 'shared')
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
  const all = await everything(cache)
  expect(Object.keys(all)).toHaveLength(1500)
  expect(all['a499']).toEqual(exchange('a 499'))
  expect(all['both0']).toEqual(exchange('same 0'))
  await cache.close()
})

test('a process that is killed while it writes leaves a cache that can be read', async () => {
  const place = join(folder, 'killed')
  const child = otherProcess(
    place,
    `for (let i = 0; ; i++) {
      cache.put('k' + i, exchange('reply ' + i))
      if (i % 50 === 0) { await new Promise((resolve) => setTimeout(resolve, 1)); console.log(i) }
    }`,
  )
  let written = 0
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    written = Number(text.trim().split('\n').at(-1))
    if (written >= 1000) child.kill('SIGKILL')
  }
  const cache = await openCache(place)
  const all = await everything(cache)
  expect(all['k0']).toEqual(exchange('reply 0'))
  expect(Object.keys(all).length).toBeGreaterThan(500)
  expect(
    Object.entries(all).every(
      ([key, entry]) => 'replies' in entry && entry.replies[0]?.text === `reply ${key.slice(1)}`,
    ),
  ).toBe(true)
  cache.put('after', exchange('after'))
  await cache.close()
})

const root = mkdtempSync(join(tmpdir(), 'gembench-damage-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const entries: Readonly<Record<string, CacheEntry>> = Object.fromEntries(
  Array.from({ length: 20 }, (_, i): [string, CacheEntry] => [
    `key ${i}`,
    i % 2 === 0
      ? { vectors: [Float32Array.from({ length: 50 }, (_, j) => i + j)], tokens: i, estimated: false, milliseconds: 1 }
      : {
          replies: [{ text: `reply ${i}`, finish: 'stop', promptTokens: i, completionTokens: 2, estimated: false }],
          milliseconds: 2,
        },
  ]),
)

const whole = join(root, 'whole')
const cache = await openCache(whole)
for (const [key, entry] of Object.entries(entries)) cache.put(key, entry)
await cache.close()

let copies = 0
/** A copy of the whole cache, changed. */
function changed(change: (file: string) => void): string {
  const folder = join(root, String(copies++))
  cpSync(whole, folder, { recursive: true })
  change(join(folder, 'calls.log'))
  return folder
}

/** What each key gives, and what was said of the cache. */
async function readAll(folder: string): Promise<{ missing: string[]; said: string[] }> {
  const said: string[] = []
  const cache = await openCache(folder, (line) => said.push(line))
  const missing = Object.keys(entries).filter((key) => {
    const found = cache.get(key)
    if (found) expect(found, key).toEqual({ entry: entries[key], before: true })
    return !found
  })
  await cache.close()
  return { missing, said }
}

test('whole, everything is there and nothing is said', async () => {
  expect(await readAll(whole)).toEqual({ missing: [], said: [] })
})

test('bits that flip anywhere lose the entries that they hit, and those alone', async () => {
  const bytes = readFileSync(join(whole, 'calls.log'))
  const random = mulberry32(5)
  for (let round = 0; round < 300; round++) {
    const folder = changed((file) => {
      const damaged = Buffer.from(bytes)
      const at = Math.floor(random() * damaged.length)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      writeFileSync(file, damaged)
    })
    const { missing, said } = await readAll(folder)
    expect(missing.length).toBe(1)
    // of a damaged last head nothing is known but that a record may be on its way
    if (missing[0] !== 'key 19')
      expect(said).toEqual([
        expect.stringMatching(/calls\.log: 1 damaged entry was left out; such calls are made again/),
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
])('a file of %s is an empty cache that takes new entries', async (_what, change) => {
  const folder = changed(change)
  expect((await readAll(folder)).missing).toEqual(Object.keys(entries))
  const cache = await openCache(folder)
  for (const [key, entry] of Object.entries(entries)) cache.put(key, entry)
  await cache.close()
  expect((await readAll(folder)).missing).toEqual([])
})

describe('a record that a killed process left unfinished', () => {
  const bytes = readFileSync(join(whole, 'calls.log'))
  const last = bytes.lastIndexOf(Buffer.from([0x93, 0x67, 0x62, 0x01]))

  test.each([1, 10, 23, 24, 40, bytes.length - last - 1])(
    'cut after %i bytes, takes no other with it',
    async (kept) => {
      const folder = changed((file) => truncateSync(file, last + kept))
      expect((await readAll(folder)).missing).toEqual(['key 19'])
      const cache = await openCache(folder)
      const entry = entries['key 19']
      if (entry) cache.put('key 19', entry)
      expect(cache.get('key 19')).toEqual({ entry, before: false })
      await cache.close()
      expect((await readAll(folder)).missing).toEqual([])
    },
  )

  test('may end within the records that others wrote after it', async () => {
    const record = bytes.subarray(last)
    const torn = Buffer.from(record.subarray(0, 30))
    const folder = changed((file) => {
      writeFileSync(file, torn)
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

test('where nothing can be written the entries are kept in memory, and that is said once', async () => {
  const said: string[] = []
  await withoutWrites('ENOSPC', 'writeSync', async () => {
    const cache = await openCache(mkdtempSync(join(root, 'full-')), (line) => said.push(line))
    for (const [key, entry] of Object.entries(entries)) cache.put(key, entry)
    expect(cache.get('key 3')).toEqual({ entry: entries['key 3'], before: false })
    await cache.close()
  })
  expect(said).toEqual([
    expect.stringMatching(
      /calls\.log: cannot be written \(ENOSPC.*\); the run goes on, and calls from now on are not kept$/,
    ),
  ])
})

test('a cache that may only be read is read, and that nothing is kept is said in one line', async () => {
  const folder = changed(() => undefined)
  const said: string[] = []
  await withoutWrites('EROFS', 'openSync', async () => {
    const cache = await openCache(folder, (line) => said.push(line))
    expect(cache.get('key 1')).toEqual({ entry: entries['key 1'], before: true })
    expect(said).toEqual([])
    if (entry) for (const key of ['new', 'newer']) cache.put(key, entry)
    expect(cache.get('newer')).toEqual({ entry, before: false })
    await cache.close()
  })
  expect(said).toEqual([expect.stringMatching(/calls\.log: cannot be written \(EROFS.*\); .* are not kept$/)])
})

test('a file of calls that is a link is not followed', async () => {
  const folder = mkdtempSync(join(root, 'linked-'))
  symlinkSync(join(root, 'outside'), join(folder, 'calls.log'))
  const said: string[] = []
  const cache = await openCache(folder, (line) => said.push(line))
  if (entry) cache.put('key', entry)
  await cache.close()
  expect(said).toEqual([expect.stringContaining('calls.log: is a link; ')])
  expect(existsSync(join(root, 'outside'))).toBe(false)
})
