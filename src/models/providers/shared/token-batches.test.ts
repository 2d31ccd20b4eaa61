import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchesOf, inBatches, padded, paddedLength, shortened } from './token-batches.ts'

const row = (length: number) => Array.from({ length }, (_, index) => index)
const rowsOf = (lengths: readonly number[]) => lengths.map(row)

test.each([
  { lengths: [], batches: [] },
  { lengths: [2], batches: [[0]] },
  {
    lengths: [12, 2, 11, 4, 3, 9],
    batches: [[1], [3, 4], [5], [0, 2]],
  },
  // 1024 tokens: four rows of 256
  { lengths: [256, 255, 256, 255, 256], batches: [[0, 1, 2, 3], [4]] },
  { lengths: [2000, 1999], batches: [[0], [1]] },
])('rows of lengths $lengths go in the batches $batches', ({ lengths, batches }) => {
  expect(batchesOf(rowsOf(lengths))).toEqual(batches)
})

test('every row is in one batch, its batch has one padded length, and more than one row only within 1024 tokens', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 512 }), { maxLength: 300 }), (lengths) => {
      const rows = rowsOf(lengths)
      const batches = batchesOf(rows)
      expect(batches.flat().sort((a, b) => a - b)).toEqual([...rows.keys()])
      for (const batch of batches) {
        const padded = new Set(batch.map((place) => paddedLength(rows[place]!)))
        expect(padded.size).toBe(1)
        expect(batch.length === 1 || batch.length * [...padded][0]! <= 1024).toBe(true)
      }
    }),
  )
})

test('results come in the order of the rows, whatever the batches', async () => {
  const lengths = [30, 2, 17, 2, 300, 31, 5, 16]
  expect(await inBatches(rowsOf(lengths), async (batch) => batch.map((ids) => ids.length))).toEqual(lengths)
})

test('a batch that fails is the failure of all', async () => {
  const fail = () => Promise.reject(new Error('broken'))
  await expect(inBatches(rowsOf([3]), fail)).rejects.toThrow('broken')
})

test('rows with three tokens more than a multiple of four get a fourth', () => {
  expect([2, 3, 4, 5, 6, 7].map((length) => paddedLength(row(length)))).toEqual([2, 4, 4, 5, 6, 8])
  expect(
    padded(
      [
        [5, 6, 7, 8, 9, 10, 11, 12],
        [1, 2, 3, 4, 5, 6, 7],
      ],
      42,
    ),
  ).toEqual({
    ids: BigInt64Array.from([5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 42], BigInt),
    mask: BigInt64Array.from([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0], BigInt),
    length: 8,
  })
})

test.each([
  [5, [101, 1, 2, 102]],
  [4, [101, 1, 2, 102]],
  [3, [101, 1, 102]],
  [2, [101, 102]],
])('the row 101 1 2 102 in %i tokens', (most, kept) => {
  expect(shortened([101, 1, 2, 102], most)).toEqual(kept)
})
