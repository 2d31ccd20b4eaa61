import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Exchange } from './cache.ts'
import { readCallFile, writeCallFile } from './call-file.ts'
import { openCache, inMemoryCache } from './open-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-cassette-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exchange = (text: string): Exchange => ({
  replies: [{ text, finish: 'length', promptTokens: 5, completionTokens: 2, estimated: true }],
  milliseconds: 1.25,
})

test('keeps all bytes in a round trip through memory and disk, sorted by key', async () => {
  const cache = inMemoryCache()
  cache.put('b', exchange('line\nbreak, \u2028 and “é”'))
  cache.put('c', {
    vectors: [Float32Array.of(0.1, -1e-40), Float32Array.of(1, 3)],
    tokens: 4,
    estimated: false,
    milliseconds: 0,
  })
  cache.put('a', { replies: [...exchange('bad').replies, ...exchange('good').replies], milliseconds: 0.1 + 0.2 })
  const [file, again] = [join(folder, 'first.jsonl'), join(folder, 'again.jsonl')]
  await writeCallFile(cache, file, new Set(['b', 'c', 'a']))
  const disk = await openCache(join(folder, 'cache'))
  await readCallFile(disk, file)
  await writeCallFile(disk, again, new Set(['c', 'b', 'a']))
  await disk.close()
  expect(readFileSync(again)).toEqual(readFileSync(file))
  const keys = Array.from(readFileSync(file, 'utf8').matchAll(/"key":"(.)"/g), ([, key]) => key)
  expect(keys).toEqual(['a', 'b', 'c'])
})

test('reports missing calls and an unwritable file in one line', async () => {
  const calls = inMemoryCache()
  calls.put('a', exchange('x'))
  await expect(writeCallFile(calls, join(folder, 'calls.jsonl'), new Set(['a', 'b']))).rejects.toThrow(
    '1 of the 2 calls are not in the cache',
  )
  const file = join(folder, 'none', 'calls.jsonl')
  await expect(writeCallFile(calls, file, new Set(['a']))).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(
      /none.calls\.jsonl: cannot be written here \(ENOENT.*; name another file$/,
    ) as string,
  })
})

test('adds the calls of a file to those of the cache, which stay', async () => {
  const [file, remote, local] = [join(folder, 'other.jsonl.gz'), inMemoryCache(), inMemoryCache()]
  for (const key of ['new', 'other']) remote.put(key, exchange('theirs'))
  await writeCallFile(remote, file, new Set(['new', 'other']))
  local.put('other', exchange('ours'))
  await readCallFile(local, file)
  expect(['new', 'other'].map((key) => local.get(key)?.entry)).toEqual([exchange('theirs'), exchange('ours')])
})

const vectorLine = (width: number, bytes: string) =>
  JSON.stringify({ key: 'a', width, bytes, tokens: 1, estimated: true, milliseconds: 1 })

test.each([
  ['not JSON', '{"key": ', /is not JSON/],
  ['no key', JSON.stringify(exchange('x')), /key/],
  ['no replies', '{"key":"a","replies":[],"milliseconds":1}', /replies/],
  ['an unknown field', JSON.stringify({ key: 'a', ...exchange('x'), extra: 1 }), /extra/],
  ['half a vector', vectorLine(2, 'AAAA'), /whole number/],
  ['a number that is not finite', vectorLine(1, 'AADAfw=='), /bytes holds a number that is not finite/],
  ['no bytes', vectorLine(1, ''), /bytes/],
  ['no width', vectorLine(0, 'AAAAAA=='), /width/],
  ['bytes that are none', vectorLine(1, '?'), /bytes/],
])('refuses a line with %s and names its place', async (_name, line, message) => {
  const file = join(folder, 'bad.jsonl')
  writeFileSync(file, `${JSON.stringify({ key: 'good', ...exchange('x') })}\n\n${line}\n`)
  const failure = readCallFile(inMemoryCache(), file)
  await expect(failure).rejects.toThrow(message)
  await expect(failure).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining(`${file}:3`) as string,
  })
})
