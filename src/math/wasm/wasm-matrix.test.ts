import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { screenLanes } from './kernels.ts'
import { addTimes, emptyPanel, transposeTimes } from './products.ts'
import { wasmProducts, allocateNumbers } from './wasm-matrix.ts'

const shapes = fc.record({
  rows: fc.integer({ min: 500, max: 2000 }),
  columns: fc.integer({ min: 132, max: 200 }),
  used: fc.integer({ min: 1, max: 132 }),
  Numbers: fc.constantFrom(Float32Array, Float64Array),
  seed: fc.nat(1000),
})

/** A matrix in place and one with the same numbers that is not. */
function copies(Numbers: typeof Float32Array | typeof Float64Array, rows: number, columns: number, seed = 1) {
  const random = mulberry32(seed)
  const data = allocateNumbers(Numbers as Float64ArrayConstructor, rows, columns, 1, 1).map(() => 0)
  const near = allocateNumbers(Numbers as Float64ArrayConstructor, rows, columns, 1, 1)
  data.forEach((_, at) => (data[at] = near[at] = random() - 0.5))
  return { near, far: data, random }
}

const distance = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)

describe('a matrix in place', () => {
  test('multiplies as any other, whatever share of its columns is taken', () => {
    fc.assert(
      fc.property(shapes, ({ rows, columns, used, Numbers, seed }) => {
        const { near, far, random } = copies(Numbers, rows, columns, seed)
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
    const { near, far } = copies(Float64Array, rows, columns)
    const matrix = { data: near, rows, columns }
    addTimes(matrix, [emptyPanel(columns).fill(NaN)], [emptyPanel(rows)])
    const ones = emptyPanel(rows).fill(1)
    const [sums] = transposeTimes(matrix, [ones])
    expect(distance(sums!, transposeTimes({ data: far, rows, columns }, [ones])[0]!)).toBeLessThan(1e-11)
  })

  test('multiplies in 32 bits, each row a sum of its own', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 3 }), ({ rows, columns, used, seed }, count) => {
        const random = mulberry32(seed)
        const data = allocateNumbers(Float32Array, rows, columns, 3, 1)
        data.forEach((_, at) => (data[at] = random() - 0.5))
        const panels = Array.from({ length: count }, () => new Float32Array(used * screenLanes).map(random))
        const into = panels.map(() => new Float32Array(rows * screenLanes).fill(NaN))
        const matrix = wasmProducts({ data, rows, columns: used, stride: columns })
        fc.pre(matrix !== undefined)
        matrix.screen(panels, into)
        for (const [p, panel] of panels.entries()) {
          for (let at = seed % 7; at < rows * screenLanes; at += 97) {
            const [row, lane] = [Math.floor(at / screenLanes), at % screenLanes]
            let sum = 0
            for (let j = 0; j < used; j++) {
              sum = Math.fround(sum + Math.fround(data[row * columns + j]! * panel[screenLanes * j + lane]!))
            }
            expect(into[p]![at]).toBe(sum)
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  test('multiplies in 32 bits only what has 32 and as much as there is room for', () => {
    const [rows, columns] = [500, 140]
    const matrices = [Float32Array, Float64Array].map((Numbers) =>
      wasmProducts({ data: allocateNumbers(Numbers as Float64ArrayConstructor, rows, columns, 1, 1), rows, columns }),
    )
    const panels = [1, 2].map(() => new Float32Array(columns * screenLanes))
    const into = panels.map(() => new Float32Array(rows * screenLanes))
    expect(() => matrices[0]!.screen(panels, into)).toThrow('no room for 2 panels')
    expect(() => matrices[1]!.screen(panels.slice(1), into.slice(1))).toThrow(RangeError)
    expect(matrices[1]!.group(new Uint32Array(rows), 1)).toBeUndefined()
    expect(matrices[0]!.group(new Uint32Array(rows), 32 * 4 + 1)).toBeUndefined()
  })

  test('adds rows by their labels, one after another', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 3 }), ({ rows, columns, used, seed }, groups) => {
        const random = mulberry32(seed)
        const data = allocateNumbers(Float32Array, rows, columns, 1, 1)
        data.forEach((_, at) => (data[at] = random() - 0.5))
        const labels = new Uint32Array(rows).map(() => Math.floor(random() * groups))
        const matrix = wasmProducts({ data, rows, columns: used, stride: columns })
        fc.pre(matrix !== undefined)
        const expected = new Float64Array(groups * used)
        labels.forEach((label, row) => {
          for (let j = 0; j < used; j++) expected[label * used + j]! += data[row * columns + j]!
        })
        const { data: sums, stride = used } = matrix.group(labels, groups)!
        for (let g = 0; g < groups; g++) {
          expect(sums.slice(g * stride, g * stride + used)).toEqual(expected.slice(g * used, (g + 1) * used))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('only large ones are, and only as a whole', () => {
    const [rows, columns] = [300, 250]
    const [large, small] = [rows * columns, rows * columns + 1].map((fewest) =>
      allocateNumbers(Float64Array, rows, columns, 1, fewest),
    )
    expect(wasmProducts({ data: large!, rows, columns })).toBeDefined()
    expect(wasmProducts({ data: small!, rows, columns })).toBeUndefined()
    expect(wasmProducts({ data: large!.subarray(columns), rows: rows - 1, columns })).toBeUndefined()
    expect(wasmProducts({ data: large!, rows: columns, columns: rows })).toBeUndefined()
    expect(small).toHaveLength(rows * columns)
  })
})
