import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import type { Cache } from './cache.ts'
import { openCache } from './open-cache.ts'
import { inMemoryCache } from './in-memory-cache.ts'
import type { EmbeddedText, CacheEntry, Exchange } from './cache-entry.ts'

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
