import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { Exchange } from './cache.ts'
import { exportCassette, importCassette } from './cassette.ts'
import { openCache, inMemoryCache } from './open-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-cassette-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exchange = (text: string, milliseconds = 1.25): Exchange => ({
  replies: [{ text, finish: 'length', promptTokens: 5, completionTokens: 2, estimated: true }],
  milliseconds,
})

test('a round trip gives the same bytes, through memory and through disk', async () => {
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
  expect(await exportCassette(cache, file)).toBe(3)

  const disk = await openCache(join(folder, 'cache'))
  expect(await importCassette(disk, file)).toEqual({ added: 3, same: 0, conflicting: [] })
  const again = join(folder, 'again.jsonl')
  await exportCassette(disk, again)
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
])('an export does not overwrite %s', async (_what, name, content) => {
  const file = join(folder, name)
  writeFileSync(file, content)
  await expect(exportCassette(calls, file)).rejects.toThrow(
    `${file}: was not made by this command and is not overwritten; name another file`,
  )
  expect(readFileSync(file)).toEqual(Buffer.from(content))
})

test.each(['own.jsonl', 'own.jsonl.gz'])(
  'an export overwrites an earlier one, whatever its first call: %s',
  async (name) => {
    const file = join(folder, name)
    const vectors = inMemoryCache()
    vectors.put('b', { vectors: [Float32Array.of(1)], tokens: 1, estimated: false, milliseconds: 0 })
    for (const cache of [inMemoryCache(), vectors, calls, inMemoryCache()]) await exportCassette(cache, file)
    expect(await importCassette(inMemoryCache(), file)).toMatchObject({ added: 0 })
  },
)

test('an export to where no file can be is one line', async () => {
  await expect(exportCassette(calls, folder)).rejects.toThrow(`${folder}: was not made by this command`)
  const file = join(folder, 'none', 'calls.jsonl')
  await expect(exportCassette(calls, file)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(
      /none.calls\.jsonl: cannot be written here \(ENOENT.*\); name another file$/,
    ) as string,
  })
})

test('an import merges and never overwrites; the time a call took makes no other reply', async () => {
  const file = join(folder, 'merge.jsonl')
  const theirs = inMemoryCache()
  for (const [key, text] of [
    ['new', 'x'],
    ['same', 'y'],
    ['other', 'z'],
  ] as const)
    theirs.put(key, exchange(text, 9))
  await exportCassette(theirs, file)
  const ours = inMemoryCache()
  ours.put('same', exchange('y'))
  ours.put('other', exchange('ours'))
  expect(await importCassette(ours, file)).toEqual({ added: 1, same: 1, conflicting: ['other'] })
  expect(ours.get('other')?.entry).toEqual(exchange('ours'))
})

test.each([
  ['not JSON', '{"key": ', /not a line of JSON/],
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
])('a line with %s is refused, with its place', async (_name, line, message) => {
  const file = join(folder, 'bad.jsonl')
  writeFileSync(file, `${JSON.stringify({ key: 'good', ...exchange('x') })}\n\n${line}\n`)
  const failure = importCassette(inMemoryCache(), file)
  await expect(failure).rejects.toThrow(message)
  await expect(failure).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining(`${file}:3`) as string,
  })
})
