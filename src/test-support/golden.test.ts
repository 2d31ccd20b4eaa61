import { describe, expect, test } from 'vitest'
import { differencesFrom, notOurs, pythonRound, replayGolden } from './golden.ts'

describe('differencesFrom', () => {
  const paths = (expected: unknown, got: unknown) => differencesFrom(expected, got, 0.01).map(({ path }) => path)

  test.each<[string, unknown, unknown]>([
    ['numbers within the tolerance', [1, { a: 2 }], [1.005, { a: 1.995, more: 1 }]],
    ['NaN and infinities as texts', ['NaN', 'Infinity', '-Infinity'], [NaN, Infinity, -Infinity]],
    ['texts, truth and nothing', ['a', true, null], ['a', true, null]],
    ['an error of any name', { error: 'ValueError', message: 'x' }, { error: 'ours' }],
    ['nothing but errors', { a: { error: 'E' }, b: { error: 'E' } }, { a: { error: 'x' }, b: { error: 'y' } }],
    ['one error for a whole of errors', { error: 'E' }, { a: { error: 'x' }, b: { error: 'y' } }],
  ])('takes %s', (_, expected, got) => expect(paths(expected, got)).toEqual([]))

  test.each<[string, unknown, unknown, string[]]>([
    ['a number outside', { a: [1, 2] }, { a: [1, 2.1] }, ['$.a[1]']],
    ['a number for NaN, and NaN for a number', ['NaN', 1], [1, NaN], ['$[0]', '$[1]']],
    ['the wrong infinity', ['Infinity'], [-Infinity], ['$[0]']],
    ['a missing field', { a: 1, b: { c: 2 } }, { b: {} }, ['$.a', '$.b.c']],
    ['a list of another length', [[1]], [[1, 2]], ['$[0]']],
    ['a number for a truth', [true], [1], ['$[0]']],
    ['a result for an error', { error: 'E' }, { a: 1 }, ['$']],
    ['an error for a result', { a: 1 }, { error: 'x' }, ['$.a']],
    ['a text that names no number', ['nan'], [NaN], ['$[0]']],
  ])('finds %s', (_, expected, got, found) => expect(paths(expected, got)).toEqual(found))
})

const one = (metric: string, expected: unknown) => ({ id: metric, metric, input: { x: 1 }, expected, tol: 0 })

replayGolden(
  {
    double: ({ x }: { x: number }) => ({ y: 2 * x, z: notOurs }),
    refuse: () => {
      throw new RangeError('no')
    },
    'gives a promise': async () => 1,
  },
  [one('double', { y: 2, z: 5 }), one('refuse', { error: 'E' }), one('gives a promise', 1), one('other', 1)],
)

test.each([
  [0.0625, 3, 0.062],
  [0.1875, 3, 0.188],
  [2.675, 2, 2.67],
  [0.5, 0, 0],
  [1.5, 0, 2],
  [-0.0625, 3, -0.062],
  [2 / 3, 5, 0.66667],
])('Python rounds %d to %d digits as %d', (value, digits, rounded) => {
  expect(pythonRound(value, digits)).toBeCloseTo(rounded, 12)
})
