import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { differencesFrom, runCases, readVectors, pythonRound } from './run.ts'
import { metrics } from './metrics.ts'
const shelf = new URL('../../../shared/vectors/', import.meta.url).pathname

describe.skipIf(!existsSync(shelf))('golden vectors of ../shared/vectors (skipped where that folder is absent)', () => {
  const read = existsSync(shelf)
    ? ['metrics.json', 'graph.json', 'graph-of-records.json'].map((file) => readVectors(join(shelf, file)))
    : []
  const cases = read.flatMap((vectors) => (vectors.format === 'cases' ? vectors.cases : []))

  test.each([...new Set(cases.map(({ metric }) => metric))].filter((metric) => metric in metrics))(
    '%s',
    async (metric) => {
      const tally = await runCases(
        cases.filter((one) => one.metric === metric),
        metrics,
      )
      expect(tally.failed).toEqual([])
      expect(tally.passed).toBeGreaterThan(0)
    },
  )
})

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

describe('runCases', () => {
  const table = {
    double: ({ x }: { x: number }) => ({ y: 2 * x }),
    refuse: () => {
      throw new RangeError('no')
    },
  }
  const one = (metric: string, expected: unknown) => ({ id: metric, metric, input: { x: 1 }, expected, tol: 0 })

  test('passes, fails, and skips what it does not know', async () => {
    const tally = await runCases(
      [
        one('double', { y: 2 }),
        one('double', { y: 3 }),
        one('refuse', { error: 'E' }),
        one('refuse', 1),
        one('other', 1),
      ],
      table,
    )
    expect(tally.passed).toBe(2)
    expect(tally.failed.map(({ id, differences }) => [id, ...differences.map(({ path }) => path)])).toEqual([
      ['double', '$.y'],
      ['refuse', '$'],
    ])
    expect(tally.skipped).toEqual(['other'])
  })
})

describe('readVectors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-vectors-'))
  const file = (content: string) => {
    const path = join(folder, 'file.json')
    writeFileSync(path, content)
    return path
  }

  test('fills in the tolerance and knows the file of one construction', () => {
    expect(readVectors(file('{"cases": [{"id": "a", "metric": "m", "input": 1, "expected": 2}]}'))).toEqual({
      format: 'cases',
      cases: [{ id: 'a', metric: 'm', input: 1, expected: 2, tol: 1e-12 }],
    })
    expect(readVectors(file('{"chunkEmbeddings": [], "variants": {}}')).format).toBe('gem')
  })

  test.each(['', '{', '[]', '{"cases": [{"id": 1}]}', '{}'])(
    'says in one line that %j is no file of vectors',
    (content) => {
      const read = () => readVectors(file(content))
      expect(read).toThrow(UserError)
      expect(read).toThrow(/^[^\n]*file\.json: [^\n]*$/)
    },
  )

  test('and that a file is missing', () => expect(() => readVectors(join(folder, 'none'))).toThrow(UserError))
})

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
