import fc from 'fast-check'
import { expect, test } from 'vitest'
import { power, powerTable } from './umap.ts'

test('powers are right to 3 in 10 000', () => {
  const exponents = [0.5, 0.79, 0.895, 1, 1.33, 2]
  const tables = exponents.map(powerTable)
  fc.assert(
    fc.property(fc.float({ min: Math.fround(1e-15), max: Math.fround(1e15), noNaN: true }), (x) => {
      for (const [i, table] of tables.entries())
        expect(Math.abs(power(table, x) / x ** exponents[i]! - 1)).toBeLessThan(3e-4)
    }),
  )
  expect(power(tables[2]!, 0)).toBe(0)
})
