import { expect, test } from 'vitest'
import { convergenceChecks } from './leading-eigenpairs.ts'

test('over a large matrix every pass is looked at, once there are vectors enough', () => {
  const looks = convergenceChecks(20_000, 5)
  expect([4, 8, 40].map((size) => looks.due(size, 1))).toEqual([false, true, true])
  // 10 · 44² is not nothing beside 20,000 rows
  looks.found(1, 1)
  looks.found(2, 2)
  expect([40, 48].map((size) => looks.due(size, 3))).toEqual([true, false])
})

test('over a small one as the fall of the residuals foretells', () => {
  const looks = convergenceChecks(300, 2)
  expect(looks.due(8, 2)).toBe(true)
  looks.found(1e8, 2)
  expect(looks.due(12, 3)).toBe(true)
  // tenfold in one pass, seven more to go, of which four are let go by
  looks.found(1e7, 3)
  expect([6, 7].map((pass) => looks.due(40, pass))).toEqual([false, true])
  // no fall: not before the basis is full
  looks.found(1e7, 7)
  expect(looks.due(40, 1000)).toBe(false)
  looks.found(1e6, 8)
  expect([11, 12].map((pass) => looks.due(40, pass))).toEqual([false, true])
})
