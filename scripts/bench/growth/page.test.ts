import { expect, test } from 'vitest'
import { exponents, growthPage, growthRow, type Measured } from './page.ts'

const tokens = { promptTokens: 0, completionTokens: 0 }
const at = (n: number, power: number, more: Partial<Record<'peak' | 'calls', number>> = {}): Measured => ({
  seconds: n / 100,
  own: (n / 1000) ** power,
  question: 0.001,
  base: 100,
  peak: 100 + n / 100,
  calls: n,
  ...tokens,
  ...more,
})
const sizes = [100, 1000, 10_000]
const growing = (power: number) => sizes.map((n) => at(n, power))

test('what grows with the chunks and stays below 2 GB is met', () => {
  expect(growthRow({ method: 'vector', bySize: growing(1) })).toEqual({
    name: 'growth vector, 10,000 chunks',
    figure: '100 s (n^1.00), 200 MB, 10,000 calls',
    goal: '< 2000 MB',
    met: true,
  })
})

test.each([
  ['too much memory', [...growing(1).slice(0, 2), at(10_000, 1, { peak: 2001 })], undefined],
  ['a failure at any size', [{ failed: 'not done after 15 minutes' }, ...growing(1).slice(1)], /^not done after 15/],
  ['steep, with no reason', growing(2), /^its own part, s: grows faster than n\^1\.3, and nothing says why$/],
  ['steep calls alone', [...growing(1).slice(0, 2), at(10_000, 1, { calls: 1e5 })], /^calls: grows/],
])('missed: %s', (_, bySize, note) => {
  const row = growthRow({ method: 'vector', bySize })
  expect(row.met).toBe(false)
  if (note) expect(row.note).toMatch(note)
})

test('the page says every size, the exponents, failures, and why something is steep', () => {
  const page = growthPage([
    { method: 'gem-rag', bySize: growing(2) },
    { method: 'vector', bySize: [...growing(1).slice(0, 2), { failed: 'failed: out of memory' }] },
  ])
  expect(page).toContain('| `gem-rag` | 1 / 10 / 100; n^1.00 (1.00) | 0.01 / 1 / 100; n^2.00 (2.00) |')
  expect(page).toContain('| 101 / 110 / 200 |')
  expect(page).toContain('| 101 / 110 / failed: out of memory |')
  expect(page).toMatch(/- `gem-rag` \(its own part, s\): The graph of similarities is complete/)
  expect(page).not.toMatch(/- `vector`/)
})

test('the exponent of a power, and of the last step alone', () => {
  expect(exponents([100, 1000, 10_000], [3e4, 3e6, 3e8], 1)).toEqual({
    all: expect.closeTo(2, 10) as number,
    last: expect.closeTo(2, 10) as number,
  })
  // by hand: slopes 1 and 2 of equal steps
  expect(exponents([10, 100, 1000], [1, 10, 1000], 1)).toEqual({
    all: expect.closeTo(1.5, 10) as number,
    last: expect.closeTo(2, 10) as number,
  })
})

test('what is too small to tell is left out; one measurement has no slope', () => {
  expect(exponents([10, 100, 1000], [0.4, 10, 100], 1)?.all).toBeCloseTo(1, 10)
  expect(exponents([10, 100, 1000], [0, 0.9, 100], 1)).toBeUndefined()
})
