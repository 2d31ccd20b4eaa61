import fc from 'fast-check'
import { expect, test } from 'vitest'
import { power, powerTable } from './power.ts'

test('powers are right to four digits', () => {
  const exponents = [0.5, 0.79, 0.895, 1, 1.33]
  const tables = exponents.map(powerTable)
  fc.assert(
    fc.property(fc.float({ min: Math.fround(1e-30), max: Math.fround(1e30), noNaN: true }), (x) => {
      for (const [i, table] of tables.entries()) expect(power(table, x) / x ** exponents[i]!).toBeCloseTo(1, 4)
    }),
  )
  expect(power(tables[2]!, 0)).toBe(0)
})
