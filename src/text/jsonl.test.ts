import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { lines } from './jsonl.ts'

async function linesOf(content: string | Uint8Array, name?: string): Promise<{ line: number; text: string }[]> {
  const file = fileOf(content, name)
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
  const block = gzipSync(Buffer.alloc(2 ** 26, `${' '.repeat(2 ** 20 - 1)}\n`))
  const bomb = linesOf(Buffer.concat(Array.from({ length: 5 }, () => block)), 'bomb.jsonl.gz')
  await expect(bomb).rejects.toThrow(/bomb\.jsonl\.gz: unpacks to more than \d+ bytes, of \d+ that it has/)
})
