import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lines } from './jsonl.ts'

let folder = ''
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'gembench-lines-'))))
afterAll(() => rm(folder, { recursive: true }))

async function linesOf(content: string): Promise<{ line: number; text: string }[]> {
  const file = join(folder, 'lines.jsonl')
  await writeFile(file, content)
  const found: { line: number; text: string }[] = []
  for await (const line of lines(file)) found.push(line)
  return found
}

test.each<[string, Record<number, string>]>([
  ['\uFEFF{"a":1}\r\n\r\n  \n{"b":2}', { 1: '{"a":1}', 4: '{"b":2}' }],
  ['one\n', { 1: 'one' }],
  ['one\n\uFEFFtwo', { 1: 'one', 2: '\uFEFFtwo' }],
  ['{"a":"x\u2028y\u2029z\u0085\u000b"}\n2', { 1: '{"a":"x\u2028y\u2029z\u0085\u000b"}', 2: '2' }],
  ['', {}],
])('%j', async (content, expected) => {
  const byLine = (await linesOf(content)).map(({ line, text }) => [line, text])
  expect(Object.fromEntries(byLine)).toEqual(expected)
})

test('characters across block boundaries stay intact', async () => {
  const text = 'é漢👩'.repeat(50_000)
  expect(await linesOf(`x\n${text}\ny`)).toEqual(['x', text, 'y'].map((text, index) => ({ line: index + 1, text })))
})

test('stops reading a file that unpacks to a hundred times its size', async () => {
  const file = join(folder, 'bomb.jsonl.gz')
  const block = gzipSync(Buffer.alloc(2 ** 26, `${' '.repeat(2 ** 20 - 1)}\n`))
  await writeFile(file, Buffer.concat(Array.from({ length: 5 }, () => block)))
  const read = async (): Promise<void> => {
    for await (const _line of lines(file));
  }
  await expect(read()).rejects.toThrow(/bomb\.jsonl\.gz: unpacks to more than \d+ bytes, of \d+ that it has/)
})
