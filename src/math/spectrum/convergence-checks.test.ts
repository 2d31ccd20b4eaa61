import { expect, test } from 'vitest'
import { convergenceChecks } from './leading-eigenpairs.ts'

test('checks a large matrix after every pass, once there are enough vectors', () => {
  const looks = convergenceChecks(20_000, 5)
  expect([4, 8, 40].map((size) => looks.due(size, 1))).toEqual([false, true, true])
  // 10 · 44² is not nothing beside 20,000 rows
  looks.record(1, 1)
  looks.record(2, 2)
  expect([40, 48].map((size) => looks.due(size, 3))).toEqual([true, false])
})

test('schedules checks of a small matrix by the decline of its residuals', () => {
  const looks = convergenceChecks(300, 2)
  expect(looks.due(8, 2)).toBe(true)
  looks.record(1e8, 2)
  expect(looks.due(12, 3)).toBe(true)
  // tenfold in one pass, seven more to go, of which four are let go by
  looks.record(1e7, 3)
  expect([6, 7].map((pass) => looks.due(40, pass))).toEqual([false, true])
  // no fall: not before the basis is full
  looks.record(1e7, 7)
  expect(looks.due(40, 1000)).toBe(false)
  looks.record(1e6, 8)
  expect([11, 12].map((pass) => looks.due(40, pass))).toEqual([false, true])
})
