import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowsToMatrix, type Matrix } from '../vectors.ts'
import { mixtureFitter, type FitOptions, isFit, type Covariance, type Mixture } from './fit.ts'
const kinds: readonly Covariance[] = ['full', 'diag', 'spherical']

function fitted(points: Matrix, components: number, options: FitOptions = {}): Mixture {
  const outcome = mixtureFitter(points, options)(components)
  if (!isFit(outcome)) throw new Error(outcome.reason)
  return outcome
}

// x: 0 2 4, variance 8/3; y: 0 0 3, variance 2; covariance 2
const points = rowsToMatrix([Float32Array.of(0, 0), Float32Array.of(2, 0), Float32Array.of(4, 3)])
const logLikelihood = (determinant: number) => -3 * Math.log(2 * Math.PI) - 1.5 * Math.log(determinant) - 3

test.each([
  ['full', (8 / 3) * 2 - 2 ** 2, 5],
  ['diag', (8 / 3) * 2, 4],
  ['spherical', (7 / 3) ** 2, 3],
] as const)('one component is the normal distribution: %s', (covariance, determinant, numbers) => {
  const { posteriors, trace, bic } = fitted(points, 1, { covariance })
  expect(trace.at(-1)).toBeCloseTo(logLikelihood(determinant), 10)
  expect(bic).toBeCloseTo(-2 * logLikelihood(determinant) + numbers * Math.log(3), 10)
  expect([...posteriors]).toEqual([1, 1, 1])
})

const someRows = fc
  .integer({ min: 1, max: 4 })
  .chain((columns) =>
    fc.array(fc.float32Array({ minLength: columns, maxLength: columns, noNaN: true, min: -9, max: 9 }), {
      minLength: 1,
      maxLength: 40,
    }),
  )
  .map(rowsToMatrix)

test.each(kinds)(
  '%s: the log-likelihood never falls, posteriors sum to 1, results are deterministic by seed',
  (covariance) => {
    fc.assert(
      fc.property(someRows, fc.integer({ min: 1, max: 8 }), fc.integer(), (points, components, seed) => {
        const mixture = fitted(points, components, { covariance, seed })
        mixture.trace.reduce((before, after) => {
          expect(after).toBeGreaterThanOrEqual(before - 1e-9 * Math.abs(before) - 1e-9)
          return after
        })
        for (let row = 0; row < points.rows; row++) {
          const own = mixture.posteriors.subarray(row * mixture.components, (row + 1) * mixture.components)
          expect(own.reduce((sum, posterior) => sum + posterior, 0)).toBeCloseTo(1, 12)
        }
        expect(fitted(points, components, { covariance, seed })).toEqual(mixture)
      }),
    )
  },
)

test('drops a component that explains less than 1.5 rows', () => {
  const points = rowsToMatrix([0, 0.1, 0.2, 0.3, 50].map((value) => Float32Array.of(value)))
  expect(fitted(points, 2).components).toBe(1)
})

test.each(kinds)('%s: no variance falls below the floor', (covariance) => {
  // two points twice: every cluster is a single place, in a plane of three columns
  const points = rowsToMatrix([0, 0, 4, 4].map((x) => Float32Array.of(x, x, 1)))
  const { components, trace } = fitted(points, 2, { covariance })
  expect(components).toBe(2)
  const floor = 1e-4 * (8 / 3)
  expect(trace.at(-1)).toBeCloseTo(4 * (Math.log(0.5) - 1.5 * Math.log(2 * Math.PI * floor)), 8)
})

describe.each(kinds)('hard inputs, %s', (covariance) => {
  const line = (...values: number[]) => rowsToMatrix(values.map((value) => Float32Array.of(value, 2 * value)))
  test.each<[string, Matrix]>([
    ['one row', line(4)],
    ['two rows', line(4, 5)],
    ['three rows', line(4, 5, 9)],
    ['equal rows', line(7, 7, 7, 7, 7, 7)],
    ['duplicates', line(1, 1, 1, 2, 2, 2, 2, 2)],
    ['huge numbers', line(-1e38, 1e38, 1e38, 0)],
    ['tiny numbers', line(1e-38, 2e-38, 3e-38, 4e-38)],
    ['rows far from the origin', line(1e7, 1e7 + 1, 1e7 + 8, 1e7 + 9)],
    ['one row far from all others', line(1, 2, 3, 4, 1e30)],
  ])('%s', (_, points) => {
    for (let components = 1; components <= points.rows; components++) {
      const mixture = fitted(points, components, { covariance })
      expect(mixture.posteriors.every((posterior) => posterior >= 0 && posterior <= 1)).toBe(true)
      expect(Number.isFinite(mixture.bic)).toBe(true)
    }
  })
})

test.each([
  ['nothing', { data: new Float32Array(), rows: 0, columns: 0 }, 'diag', 'there are no rows'],
  ['NaN', rowsToMatrix([Float32Array.of(1), Float32Array.of(NaN)]), 'diag', 'the variance of the rows is not finite'],
  [
    'too many columns',
    { data: new Float32Array(130), rows: 2, columns: 65 },
    'full',
    '65 columns are too many for a full covariance',
  ],
] as const)('%s is not fitted, and nothing is thrown', (_, points, covariance, reason) =>
  expect(mixtureFitter(points, { covariance })(1)).toEqual({ reason }),
)
