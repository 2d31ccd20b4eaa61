import { expect, it } from 'vitest'
import { cos, exp, log, norm, pow } from './portable.ts'
import { mulberry32 } from './random.ts'

const random = mulberry32(7)
const draws = (from: number, to: number): number[] => Array.from({ length: 5_000 }, () => from + (to - from) * random())
const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0)

it('computes powers of e and logarithms to the last bit or the one before it', () => {
  const powers = [...draws(-700, 709), ...draws(-2, 2), ...draws(-1e-8, 1e-8), 0, 1]
  expect(largest(powers.map((x) => Math.abs(exp(x) / Math.exp(x) - 1)))).toBeLessThan(4.5e-16)
  const numbers = [...draws(0, 1000), ...draws(0.7, 1.5), ...draws(0, 1e-310), 2, 5e-324, 1e308]
  expect(largest(numbers.map((x) => Math.abs(log(x) / Math.log(x) - 1)))).toBeLessThan(4.5e-16)
})

it('handles the limits of the range', () => {
  expect([exp(NaN), exp(Infinity), exp(-Infinity), exp(710), exp(-746)]).toEqual([NaN, Infinity, 0, Infinity, 0])
  expect([exp(-745), exp(709.7)].map((value) => value > 0 && value < Infinity)).toEqual([true, true])
  expect([log(NaN), log(-1), log(0), log(Infinity), log(1)]).toEqual([NaN, NaN, -Infinity, Infinity, 0])
  expect([pow(0, 2), pow(0, 0), pow(0, -1), pow(2, 2)]).toEqual([0, 1, Infinity, 4])
  expect(norm([3, 4])).toBe(5)
})

it('computes powers and cosines within the errors that it states', () => {
  const apart = draws(0, 50).map((x) => {
    const y = 4 * random() - 2
    return Math.abs(pow(x, y) / Math.pow(x, y) - 1) / (1 + Math.abs(y * Math.log(x)))
  })
  expect(largest(apart)).toBeLessThan(3e-16)
  const angles = draws(-13, 13).map((x) => Math.abs(cos(x) - Math.cos(x)))
  expect(largest(angles)).toBeLessThan(1e-14)
})

it('returns the bits of fdlibm on every engine', () => {
  expect([exp(0.1), exp(-37.5), log(0.1), log(1234.5)]).toEqual([
    1.1051709180756477, 5.175555005801869e-17, -2.3025850929940455, 7.118421308785234,
  ])
})
