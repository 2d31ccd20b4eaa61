import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { Exchange } from './cache.ts'
import { writeCallFile, mergeCallFile } from './call-file.ts'
import { openCache, inMemoryCache } from './open-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-cassette-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exchange = (text: string, milliseconds = 1.25): Exchange => ({
  replies: [{ text, finish: 'length', promptTokens: 5, completionTokens: 2, estimated: true }],
  milliseconds,
})

test('keeps all bytes in a round trip through memory and disk', async () => {
  const cache = inMemoryCache()
  cache.put('b', exchange('line\nbreak, \u2028 and “é”'))
  cache.put('c', {
    vectors: [Float32Array.of(0.1, -1e-40), Float32Array.of(1, 3)],
    tokens: 4,
    estimated: false,
    milliseconds: 0,
  })
  cache.put('a', { replies: [...exchange('bad').replies, ...exchange('good').replies], milliseconds: 0.1 + 0.2 })
  const file = join(folder, 'first.jsonl')
  expect(await writeCallFile(cache, file)).toBe(3)

  const disk = await openCache(join(folder, 'cache'))
  expect(await mergeCallFile(disk, file)).toEqual({ addedCount: 3, equalCount: 0, conflicting: [] })
  const again = join(folder, 'again.jsonl')
  await writeCallFile(disk, again)
  await disk.close()
  expect(readFileSync(again)).toEqual(readFileSync(file))
  expect(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => /"key":"(.)"/.exec(line)?.[1]),
  ).toEqual(['a', 'b', 'c', undefined])
})

const calls = inMemoryCache()
calls.put('a', exchange('x'))
calls.put('b', { vectors: [Float32Array.of(1)], tokens: 1, estimated: false, milliseconds: 0 })

test.each([
  ['a table', 'mine.csv', 'id,question\n'],
  ['records', 'mine.jsonl', '{"key":"a","text":"mine"}\n'],
  ['an index', 'mine.json', '{\n  "key": 1\n}\n'],
  ['blank lines', 'blank.jsonl', '\n\n'],
  ['a packed table', 'mine.csv.gz', gzipSync('id,question\n')],
  ['no gzip file', 'none.jsonl.gz', 'mine'],
])('does not overwrite %s', async (_title, name, content) => {
  const file = join(folder, name)
  writeFileSync(file, content)
  await expect(writeCallFile(calls, file)).rejects.toThrow(
    `${file}: was not made by this command and is not overwritten; name another file`,
  )
  expect(readFileSync(file)).toEqual(Buffer.from(content))
})

test.each(['own.jsonl', 'own.jsonl.gz'])(
  'an export overwrites an earlier one that starts with any call: %s',
  async (name) => {
    const file = join(folder, name)
    const vectors = inMemoryCache()
    vectors.put('b', { vectors: [Float32Array.of(1)], tokens: 1, estimated: false, milliseconds: 0 })
    for (const cache of [inMemoryCache(), vectors, calls, inMemoryCache()]) await writeCallFile(cache, file)
    expect(await mergeCallFile(inMemoryCache(), file)).toMatchObject({ addedCount: 0 })
  },
)

test('reports an unwritable file in one line', async () => {
  await expect(writeCallFile(calls, folder)).rejects.toThrow(`${folder}: was not made by this command`)
  const file = join(folder, 'none', 'calls.jsonl')
  await expect(writeCallFile(calls, file)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(
      /none.calls\.jsonl: cannot be written here \(ENOENT.*\); name another file$/,
    ) as string,
  })
})

test('merges without overwriting and ignores the time of calls', async () => {
  const file = join(folder, 'merge.jsonl')
  const remote = inMemoryCache()
  for (const [key, text] of [
    ['new', 'x'],
    ['same', 'y'],
    ['other', 'z'],
  ] as const)
    remote.put(key, exchange(text, 9))
  await writeCallFile(remote, file)
  const local = inMemoryCache()
  local.put('same', exchange('y'))
  local.put('other', exchange('ours'))
  expect(await mergeCallFile(local, file)).toEqual({ addedCount: 1, equalCount: 1, conflicting: ['other'] })
  expect(local.get('other')?.entry).toEqual(exchange('ours'))
})

test.each([
  ['not JSON', '{"key": ', /is not JSON/],
  ['a list', '[]', /not a stored call/],
  ['no key', JSON.stringify(exchange('x')), /key/],
  ['no replies', '{"key":"a","replies":[],"milliseconds":1}', /replies/],
  ['an unknown field', JSON.stringify({ key: 'a', ...exchange('x'), extra: 1 }), /extra/],
  [
    'half a vector',
    '{"key":"a","width":2,"bytes":"AAAA","tokens":1,"estimated":true,"milliseconds":1}',
    /whole number/,
  ],
  [
    'a number that is not finite',
    '{"key":"a","width":1,"bytes":"AADAfw==","tokens":1,"estimated":true,"milliseconds":1}',
    /bytes holds a number that is not finite/,
  ],
  ['no bytes', '{"key":"a","width":1,"bytes":"","tokens":1,"estimated":true,"milliseconds":1}', /bytes/],
  ['no width', '{"key":"a","width":0,"bytes":"AAAAAA==","tokens":1,"estimated":true,"milliseconds":1}', /width/],
  ['a negative time', JSON.stringify({ key: 'a', ...exchange('x', -1) }), /milliseconds/],
  ['bytes that are none', '{"key":"a","width":1,"bytes":"?","tokens":1,"estimated":true,"milliseconds":1}', /bytes/],
])('refuses a line with %s and names its place', async (_name, line, message) => {
  const file = join(folder, 'bad.jsonl')
  writeFileSync(file, `${JSON.stringify({ key: 'good', ...exchange('x') })}\n\n${line}\n`)
  const failure = mergeCallFile(inMemoryCache(), file)
  await expect(failure).rejects.toThrow(message)
  await expect(failure).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining(`${file}:3`) as string,
  })
})
