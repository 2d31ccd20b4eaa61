import fc from 'fast-check'
import { kmeans as oracle } from 'ml-kmeans'
import { describe, expect, test } from 'vitest'
import { columnOf, lanes, type Rows } from './kernels.ts'
import { squaredDistances, squaredLengths } from './squared-distances.ts'
import { starter } from './kmeans-start.ts'
import { kmeans, partitioner, screening } from './kmeans.ts'
import { mulberry32 } from './random.ts'
import { screenOf } from './screen.ts'
import { rowsToMatrix, type Matrix } from './vectors.ts'

const rows = (...values: (number | readonly number[])[]): Matrix =>
  rowsToMatrix(values.map((value) => Float32Array.from(Array.isArray(value) ? value : [value as number])))

test('two pairs on a line', () => {
  const { labels, centres, inertia, clusters } = kmeans(rows(0, 1, 10, 11), 2)
  expect([labels[0] === labels[1], labels[2] === labels[3], labels[0] === labels[2]]).toEqual([true, true, false])
  expect([...centres].sort((a, b) => a - b)).toEqual([0.5, 10.5])
  expect([clusters, inertia]).toEqual([2, 1])
})

test.each([1, 2, 3, 4, 5])('seed %d finds five blobs', (seed) => {
  const random = mulberry32(seed)
  const points = rowsToMatrix(
    Array.from({ length: 100 }, (_, i) => Float32Array.from({ length: 8 }, (_, j) => (i % 5 === j ? 9 : 0) + random())),
  )
  const { labels } = kmeans(points, 5, { seed })
  expect(new Set(labels.slice(0, 5)).size).toBe(5)
  labels.forEach((label, row) => expect(label).toBe(labels[row % 5]))
})

describe('hard inputs', () => {
  test.each<[string, Matrix, number, number]>([
    ['one row', rows(3), 1, 1],
    ['more clusters than rows', rows(1, 2), 5, 2],
    ['equal rows', rows(7, 7, 7, 7), 3, 1],
    ['fewer distinct rows than clusters', rows([1, 1], [2, 2], [1, 1], [2, 2]), 3, 2],
    ['rows far from the origin', rows(1e7, 1e7 + 1, 1e7 + 100, 1e7 + 101), 2, 2],
    ['huge numbers', rows(-3e38, 3e38, 3e38), 2, 2],
  ])('%s', (_, points, wanted, clusters) => {
    const found = kmeans(points, wanted)
    expect(found.clusters).toBe(clusters)
    expect(new Set(found.labels).size).toBe(clusters)
    expect(found.inertia).toBeLessThan(10)
  })

  test('no rows and no clusters are refused', () => {
    expect(() => kmeans({ data: new Float32Array(), rows: 0, columns: 1 }, 1)).toThrow(RangeError)
    expect(() => kmeans(rows(1), 0)).toThrow(RangeError)
    expect(() => kmeans(rows(1), NaN)).toThrow(RangeError)
  })
})

const someRows = fc
  .array(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 40 })
  .map((values) => rows(...values))

test('every row lies in the cluster of its nearest centre, no cluster is empty, a seed repeats', () => {
  fc.assert(
    fc.property(someRows, fc.integer({ min: 1, max: 8 }), fc.integer(), (points, wanted, seed) => {
      const found = kmeans(points, wanted, { seed })
      expect(new Set(found.labels).size).toBe(found.clusters)
      const squareTo = (row: number, c: number) =>
        [0, 1].reduce((sum, j) => sum + (points.data[2 * row + j]! - found.centres[2 * c + j]!) ** 2, 0)
      found.labels.forEach((label, row) => {
        for (let c = 0; c < found.clusters; c++) {
          expect(squareTo(row, label)).toBeLessThanOrEqual(squareTo(row, c) + 1e-9)
        }
      })
      expect(kmeans(points, wanted, { seed })).toEqual(found)
    }),
  )
})

/** Lloyd 1982 as it is written: all distances and all middles in every iteration. */
function plainLloyd({ data, rows: count, columns }: Matrix, centres: number[][], iterations: number) {
  const points = Array.from({ length: count }, (_, row) => [...data.subarray(row * columns, (row + 1) * columns)])
  const squareTo = (a: number[], b: number[]) => a.reduce((sum, value, j) => sum + (value - b[j]!) ** 2, 0)
  const nearest = () =>
    points.map((point) => {
      const squares = centres.map((centre) => squareTo(point, centre))
      return squares.indexOf(Math.min(...squares))
    })
  let labels = nearest()
  for (let iteration = 0; iteration < iterations; iteration++) {
    centres = centres.map((_, c) => {
      const own = points.filter((_point, row) => labels[row] === c)
      return Array.from({ length: columns }, (_value, j) => own.reduce((sum, row) => sum + row[j]!, 0) / own.length)
    })
    labels = nearest()
  }
  return { labels, centres }
}

test('clusters that keep their rows are passed over, and the result is that of plain Lloyd from the same start', () => {
  const separate = fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer(), fc.integer({ min: 20, max: 200 }))
  fc.assert(
    fc.property(separate, ([clusters, seed, count]) => {
      const random = mulberry32(seed)
      const points = rowsToMatrix(
        Array.from({ length: count }, (_, i) =>
          Float32Array.from({ length: 3 }, (_value, j) => random() + ((i >> j) % 3)),
        ),
      )
      const columns = points.columns
      const lengths = squaredLengths(points)
      const { rows: chosen } = starter(points, lengths, seed)(clusters)
      const start = chosen.map((row) => [...points.data.subarray(row * columns, (row + 1) * columns)])
      const found = kmeans(points, clusters, { seed, tolerance: 0 })
      const plain = plainLloyd(points, start, found.iterations)
      fc.pre(new Set(plain.labels).size === clusters)
      expect([...found.labels]).toEqual(plain.labels)
      expect([...found.centres]).toEqual(plain.centres.flat())
    }),
    { numRuns: 50 },
  )
})

test.each<[string, number, (row: number, column: number, random: () => number) => number]>([
  ['blobs', 12, (row, column, random) => (((row % 9) + column) % 9) + 4 * random()],
  ['tiny numbers', 5, (row, column, random) => 1e-42 * ((((row % 5) + column) % 5) + random())],
  ['huge numbers', 5, (row, column, random) => 1e30 * ((((row % 5) + column) % 5) + random())],
  ['far from the origin', 6, (row, column, random) => 1e6 + ((((row % 6) + column) % 6) + random())],
  ['few distinct rows', 9, (row, column) => (row * row + column) % 7],
])('large matrices of 32 bits are grouped as those of 64 are, which are not screened: %s', (_, clusters, numberAt) => {
  const [count, columns] = [4100, 257]
  const random = mulberry32(6)
  const data = Float32Array.from({ length: count * columns }, (_value, at) =>
    numberAt(Math.floor(at / columns), at % columns, random),
  )
  const found = kmeans({ data, rows: count, columns }, clusters)
  expect(found).toEqual(kmeans({ data: Float64Array.from(data), rows: count, columns }, clusters))
})

test('one partitioner for several numbers of clusters gives what each alone would give', () => {
  fc.assert(
    fc.property(
      someRows,
      fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }),
      fc.integer(),
      (points, counts, seed) => {
        const partition = partitioner(points, { seed })
        for (const clusters of counts) expect(partition(clusters)).toEqual(kmeans(points, clusters, { seed }))
      },
    ),
  )
})

test('it is about as good as ml-kmeans', () => {
  const random = mulberry32(3)
  const points = rowsToMatrix(Array.from({ length: 300 }, () => Float32Array.from({ length: 6 }, random)))
  const plain = Array.from({ length: points.rows }, (_, row) => [...points.data.subarray(6 * row, 6 * row + 6)])
  const theirs = [1, 2, 3].map((seed) => {
    const { clusters, centroids } = oracle(plain, 8, { seed })
    return plain.reduce(
      (sum, row, i) => sum + row.reduce((square, value, j) => square + (value - centroids[clusters[i]!]![j]!) ** 2, 0),
      0,
    )
  })
  const ours = [1, 2, 3].map((seed) => kmeans(points, 8, { seed }).inertia)
  expect(Math.min(...ours)).toBeLessThan(1.02 * Math.min(...theirs))
})

const matrixOf = (columns: number) =>
  fc
    .array(fc.float32Array({ minLength: columns, maxLength: columns, noNaN: true, min: -100, max: 100 }), {
      minLength: 1,
      maxLength: 9,
    })
    .map(rowsToMatrix)

test('squared distances are sums of squared differences, and Infinity beyond the last', () => {
  const two = fc.integer({ min: 1, max: 7 }).chain((columns) => fc.tuple(matrixOf(columns), matrixOf(columns)))
  fc.assert(
    fc.property(two, ([points, others]) => {
      const panels = squaredDistances(points, squaredLengths(points), others)
      expect(panels.length).toBe(Math.ceil(others.rows / lanes))
      for (let i = 0; i < points.rows; i++) {
        for (let j = 0; j < lanes * panels.length; j++) {
          const found = panels[Math.floor(j / lanes)]![lanes * i + (j % lanes)]!
          let expected = j < others.rows ? 0 : Infinity
          for (let c = 0; c < points.columns && j < others.rows; c++) {
            expected += (points.data[i * points.columns + c]! - others.data[j * points.columns + c]!) ** 2
          }
          if (expected === Infinity) expect(found).toBe(Infinity)
          else expect(found).toBeCloseTo(expected, 8)
        }
      }
    }),
  )
})

test('equal rows are exactly 0 apart', () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 1, maxLength: 40, noNaN: true, min: -1e6, max: 1e6 }), (row) => {
      const points = rowsToMatrix([row, row])
      const [panel] = squaredDistances(points, squaredLengths(points), points)
      expect([panel![0], panel![1], panel![lanes], panel![lanes + 1]]).toEqual([0, 0, 0, 0])
    }),
  )
})

const [count, columns] = [512, 130]

function pointsOf(numberAt: (row: number, column: number) => number): Rows {
  const data = Float32Array.from({ length: count * columns }, (_, at) =>
    numberAt(Math.floor(at / columns), at % columns),
  )
  return { data, rows: count, columns }
}

/** The first of the nearest centres by the distances in 64 bits. */
function nearestOf(points: Rows, centres: Rows): number[] {
  const panels = squaredDistances(points, squaredLengths(points), centres)
  const distances = Array.from({ length: centres.rows }, (_, c) => columnOf(panels[c >> 2]!, c & 3))
  return Array.from({ length: points.rows }, (_, row) => {
    const own = distances.map((column) => column[row]!)
    return own.indexOf(Math.min(...own))
  })
}

const cases = fc.record({
  clusters: fc.integer({ min: 1, max: 40 }),
  scale: fc.constantFrom(1e-45, 1e-38, 1e-25, 1, 1e9, 1e14),
  /** How far the centres are from each other, as a share of the scale. */
  apart: fc.constantFrom(0, 1e-16, 1e-12, 1e-8, 1e-6, 1e-3, 1),
  offset: fc.constantFrom(0, 1, 1000),
  seed: fc.nat(),
})

test('the nearest centres are those of 64 bits, however near they are to each other, whatever the size of the numbers', () => {
  fc.assert(
    fc.property(cases, ({ clusters, scale, apart, offset, seed }) => {
      const random = mulberry32(seed)
      const points = pointsOf(() => scale * (offset + random() - 0.5))
      const middle = Float64Array.from({ length: columns }, () => scale * (offset + random() - 0.5))
      const data = Float64Array.from(
        { length: clusters * columns },
        (_, at) => middle[at % columns]! + scale * apart * (random() - 0.5),
      )
      const centres = { data, rows: clusters, columns }
      const expected = nearestOf(points, centres)
      const screened = screening(points, squaredLengths(points), centres, screenOf(points)!)
      expect([...screened(new Uint8Array(clusters).fill(1))]).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})

test('rows as far from two centres go to the first of them, and such as 8 bits cannot tell to the nearer', () => {
  const points = pointsOf((row, column) => (column === 0 ? [1, -1, 3, 0][row % 4]! : 0))
  const data = new Float64Array(3 * columns)
  const centres = { data, rows: 3, columns }
  const screened = screening(points, squaredLengths(points), centres, screenOf(points)!)
  data.set([-1], 0)
  data.set([1], columns)
  data.set([1 + 2 ** -40], 2 * columns)
  expect([...screened(Uint8Array.of(1, 1, 1)).slice(0, 4)]).toEqual([1, 0, 2, 0])
})
