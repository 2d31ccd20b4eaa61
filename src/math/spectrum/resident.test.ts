import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { addTimes, emptyPanel, transposeTimes } from './products.ts'
import { inPlace, numbersFor } from './resident.ts'

const shapes = fc.record({
  rows: fc.integer({ min: 500, max: 2000 }),
  columns: fc.integer({ min: 132, max: 200 }),
  used: fc.integer({ min: 1, max: 132 }),
  Numbers: fc.constantFrom(Float32Array, Float64Array),
  place: fc.constantFrom('own' as const, 'shared' as const),
  seed: fc.nat(1000),
})

/** A matrix in place and one with the same numbers that is not. */
function twins(
  Numbers: typeof Float32Array | typeof Float64Array,
  rows: number,
  columns: number,
  place: 'own' | 'shared',
  seed = 1,
) {
  const random = mulberry32(seed)
  const data = numbersFor(Numbers as Float64ArrayConstructor, rows, columns, place).map(() => 0)
  const near = numbersFor(Numbers as Float64ArrayConstructor, rows, columns, place)
  data.forEach((_, at) => (data[at] = near[at] = random() - 0.5))
  return { near, far: data, random }
}

const distance = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)

describe('a matrix in place', () => {
  test('multiplies as any other, whatever share of its columns is taken', () => {
    fc.assert(
      fc.property(shapes, ({ rows, columns, used, Numbers, place, seed }) => {
        const { near, far, random } = twins(Numbers, rows, columns, place, seed)
        const [long, short] = [emptyPanel(rows).map(random), emptyPanel(used).map(random)]
        const [one, other] = [near, far].map((data) => ({ data, rows, columns: used, stride: columns }))
        const two = [long, long.map((value) => 2 * value)]
        const [gathered, expected] = [transposeTimes(one!, two), transposeTimes(other!, two)]
        gathered.forEach((panel, index) => expect(distance(panel, expected[index]!)).toBeLessThan(1e-11))
        const [spread, alike] = [long.slice(), long.slice()]
        addTimes(one!, [short], [spread])
        addTimes(other!, [short], [alike])
        // every row is a sum of its own
        expect(spread).toEqual(alike)
      }),
      { numRuns: 20 },
    )
  })

  test('holds nothing of the products before', () => {
    const [rows, columns] = [1001, 70]
    const { near, far } = twins(Float64Array, rows, columns, 'own')
    const matrix = { data: near, rows, columns }
    addTimes(matrix, [emptyPanel(columns).fill(NaN)], [emptyPanel(rows)])
    const ones = emptyPanel(rows).fill(1)
    const [sums] = transposeTimes(matrix, [ones])
    expect(distance(sums!, transposeTimes({ data: far, rows, columns }, [ones])[0]!)).toBeLessThan(1e-11)
  })

  test('only large ones are, and only as a whole', () => {
    const [rows, columns] = [300, 250]
    const [own, shared] = [numbersFor(Float64Array, rows, columns, 'own'), numbersFor(Float64Array, rows, columns)]
    expect(inPlace({ data: own, rows, columns })).toBeDefined()
    expect(inPlace({ data: shared, rows, columns })).toBeUndefined()
    expect(inPlace({ data: own.subarray(columns), rows: rows - 1, columns })).toBeUndefined()
    expect(inPlace({ data: own, rows: columns, columns: rows })).toBeUndefined()
    expect(shared).toHaveLength(rows * columns)
  })
})
