import { expect, test } from 'vitest'
import { mulberry32, seedFrom } from '../../math/random.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { vectorRows } from './vector-rows.ts'

/** Vectors of seven numbers in which scores are often equal. */
const models = {
  ...fakeModels(),
  embed: async (texts: readonly string[]) =>
    texts.map((text) => {
      const random = mulberry32(seedFrom(text))
      return Float32Array.from({ length: 7 }, () => Math.floor(4 * random()) - 1.5)
    }),
}
const texts = Array.from({ length: 300 }, (_, row) => `text ${row % 250}`)

test.each([1, 10, 290, 1000])('finds the same rows in a file as in memory, with equal scores: %d', async (k) => {
  const [inMemory, inFile] = [await vectorRows(texts, models), await vectorRows(texts, models, 0)]
  expect(inFile).toMatchObject({ rows: 300, columns: 7 })
  for (const question of await models.embed(['a', 'b', 'c'])) {
    const found = await inFile.search(question, k)
    expect(found).toHaveLength(Math.min(k, 300))
    expect(found).toEqual(await inMemory.search(question, k))
  }
  await inFile.close?.()
  await expect(inFile.search(new Float32Array(7), k)).rejects.toThrow(/EBADF|bad file descriptor/)
})

test('has no rows without texts, at any memory limit', async () => {
  expect(await (await vectorRows([], models, 0)).search(new Float32Array(7), 3)).toEqual([])
})

test.each([undefined, 0])('rejects vectors of unequal lengths, in memory and in a file: %s', async (most) => {
  const uneven = {
    ...models,
    embed: async (some: readonly string[]) => some.map((_, row) => new Float32Array(7 - (row % 2))),
  }
  await expect(vectorRows(texts, uneven, most)).rejects.toThrow(RangeError)
})
