import { expect, test } from 'vitest'
import { percent } from '../../text/amounts.ts'

test.each([
  [0, '0.0 %'],
  [0.0004, 'less than 0.1 %'],
  [0.0005, '0.1 %'],
  [0.002, '0.2 %'],
  [0.347, '34.7 %'],
])('prints the share %f as %s', (share, shown) => {
  expect(percent(share)).toBe(shown)
})
