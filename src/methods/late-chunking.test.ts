import { expect, test } from 'vitest'
import { ask, chunkAt, documentOf, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import type { Chunk, Models } from '../types.ts'
import { lateChunking } from './late-chunking.ts'

testMethod(lateChunking)

/** Models that read so many tokens, and give a token the mean of the words of its text and itself. */
function reading(window: number): Models & { readonly texts: string[] } {
  const fake = fakeModels()
  const cut = <T>(all: readonly T[]): readonly T[] =>
    all.length <= window ? all : [...all.slice(0, window - 1), ...all.slice(-1)]
  const texts: string[] = []
  return {
    ...fake,
    texts,
    tokenIds: (text) => cut(fake.tokenIds(text)),
    async embedTokens(text) {
      texts.push(text)
      const own = cut(await fake.embedTokens(text))
      const sum = own.reduce((all, vector) => all.map((value, at) => value + (vector[at] ?? 0)), new Float32Array(64))
      return own.map((vector) => vector.map((value, at) => value + (sum[at] ?? 0) / own.length))
    },
  }
}

const chunks = documentOf('Lisk is a town.', 'It has a mill.', 'Rye grows there.', 'An oven.')

const find = async (text: string, window: number, of: readonly Chunk[] = chunks) => {
  const models = reading(window)
  return { texts: models.texts, ...(await ask(lateChunking, of, { text, models })) }
}

test('matches a chunk by words of its document', async () => {
  const rank = async (window: number) => rankedIds((await find('Lisk', window)).passages)
  expect((await rank(99))[0]).toBe('c0')
  const cosineOf = async (window: number, id: string) =>
    (await find('Lisk', window)).passages.find(({ from }) => from[0] === id)?.score ?? NaN
  expect(await cosineOf(99, 'c1')).toBeGreaterThan((await cosineOf(8, 'c1')) + 0.05)
})

test.each([
  ['the whole document', 99, ['Lisk is a town.  It has a mill.  Rye grows there.  An oven.']],
  ['as many chunks as are read', 11, ['Lisk is a town.  It has a mill.', 'Rye grows there.  An oven.']],
])('reads documents in windows: %s', async (_name, window, texts) => {
  const { texts: read, warnings } = await find('', window)
  expect(read).toEqual(texts)
  expect(warnings).toMatchObject({ 'chunks read in part': 0 })
})

test('truncates and counts chunks longer than the window; skips chunks without a token', async () => {
  const mixed = [...documentOf('one two three four five six seven'), chunkAt(1, '…', { documentId: 'e' })]
  const { passages, warnings } = await find('one', 6, mixed)
  expect(rankedIds(passages)).toEqual(['c0'])
  expect(warnings).toEqual({ 'chunks without a token, which are not found': 1, 'chunks read in part': 1 })
})
