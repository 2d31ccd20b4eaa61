import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lanes } from './kernels.ts'
import { squaredDistances, squaredLengths } from './squared-distances.ts'
import { rowsToMatrix } from './vectors.ts'

const matrixOf = (columns: number) =>
  fc
    .array(fc.float32Array({ minLength: columns, maxLength: columns, noNaN: true, min: -100, max: 100 }), {
      minLength: 1,
      maxLength: 9,
    })
    .map(rowsToMatrix)

test('squared distances are sums of squared differences; padding is Infinity', () => {
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
