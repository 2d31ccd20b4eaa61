import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { chiSquaredAbove, studentCritical } from './distributions.ts'
import { cr2Mean } from './cr2.ts'
import { pooledVariance } from './descriptive.ts'
import {
  errorsToDetect,
  requiredIndexes,
  requiredUnits,
  pairedTPower,
  noiseAt,
  noiseOfMeans,
  noiseWithin,
} from './power.ts'
const wanted = { alpha: 0.05, power: 0.8 }

describe('chi-squared', () => {
  test.each([
    // the usual printed tables
    [0.05, 1, 3.841459],
    [0.975, 1, 0.000982069],
    [0.05, 2, 5.991465],
    [0.025, 23, 38.075627],
    [0.975, 23, 11.688552],
    [0.025, 24, 39.364077],
    [0.025, 100, 129.561197],
  ])('exceeded with probability %d at %d degrees: %d', (above, degrees, bound) => {
    expect(chiSquaredAbove(bound, degrees)).toBeCloseTo(above, 6)
  })

  test('does not underflow for many degrees; rejects fractional degrees', () => {
    expect(chiSquaredAbove(5000 * (1 - 2 / 45000) ** 3, 5000)).toBeCloseTo(0.5, 4)
    expect(() => chiSquaredAbove(1, 1.5)).toThrow(RangeError)
  })
})

describe('the required number of units', () => {
  test('is the smallest that detects the difference', () => {
    for (const difference of [1, 0.5, 0.1, 0.02]) {
      const units = requiredUnits(0.7, difference, wanted)
      const detects = (n: number): number => errorsToDetect(wanted, n - 1) * Math.sqrt(0.7 / n)
      expect(detects(units)).toBeLessThanOrEqual(difference)
      expect(detects(units - 1)).toBeGreaterThan(difference)
    }
  })

  test('agrees with the exact power of a t test', () => {
    // statsmodels: 89.149, 104.230 and 198.151 pairs
    expect([0.3, 0.277, 0.2].map((effect) => requiredUnits(1, effect, wanted))).toEqual([90, 105, 199])
    for (const n of [6, 10, 30])
      expect(Math.abs(pairedTPower(n, errorsToDetect(wanted, n - 1) / Math.sqrt(n)) - 0.8)).toBeLessThan(0.01)
  })

  test('is at least what a sign test needs', () => {
    expect(requiredUnits(1, 100, wanted)).toBe(6)
    expect(requiredUnits(1, 100, { alpha: 0.001, power: 0.8 })).toBe(11)
  })

  test('shared variance requires more indexes, not more units', () => {
    const luck = 0.04 ** 2
    // t.975 + t.8 of 2 degrees are 5.36 errors of .04 / √3, those of 10 degrees 3.11 of .04 / √11
    const with3 = { variance: luck / 3, degrees: 2 }
    expect(requiredUnits(0.25, 0.12, wanted, 0, with3)).toBe(Infinity)
    const units = requiredUnits(0.25, 0.13, wanted, 0, with3)
    expect(units).toBeGreaterThan(requiredUnits(0.25, 0.13, wanted))
    expect(units).toBeLessThan(Infinity)
    expect(requiredIndexes(luck, 0.13, wanted)).toBe(3)
    const fewest = requiredIndexes(luck, 0.04, wanted)
    const reach = (n: number) => (errorsToDetect(wanted, n - 1) * 0.04) / Math.sqrt(n)
    expect(reach(fewest)).toBeLessThan(0.04)
    expect(reach(fewest - 1)).toBeGreaterThanOrEqual(0.04)
  })

  test('few degrees of freedom need more standard errors than the normal curve, continuously', () => {
    const errors = [5, 29, 199, 200, 5000, Infinity].map((degrees) => errorsToDetect(wanted, degrees))
    expect(errors).toEqual([...errors].sort((a, b) => b - a))
    expect(errors[1]).toBeCloseTo(2.04523 + 0.854192, 5)
    expect(errors[3]! / errors[4]!).toBeGreaterThan(1)
    const exactly = studentCritical(0.95, 200) + studentCritical(0.6, 200)
    expect(errors[3]).toBeCloseTo(exactly, 6)
  })
})

describe('noise within questions', () => {
  const table = [
    [0.21, 0.03, 0.33],
    [0.68, 0.39, 0.65],
    [0.88, 0.85, 1],
  ]

  test('with one judge run equals the within-group variance of a balanced table', () => {
    const noise = noiseWithin(table.map((row) => row.map((value) => [value])))
    expect(noise.judgeRuns).toBeNaN()
    expect(noise.repeats).toBeCloseTo(pooledVariance(table), 12)
    expect(noiseAt(noise, 3, 1)).toBeCloseTo(noise.repeats / 3, 12)
  })

  test('recovers simulated variances, with missing runs', () => {
    const random = mulberry32(7)
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const scores = Array.from({ length: 4000 }, (_, i) => {
      const question = normal()
      return Array.from({ length: i % 4 === 0 ? 2 : 3 }, () => {
        const repeat = question + 0.5 * normal()
        return Array.from({ length: i % 3 === 0 ? 1 : 2 }, () => repeat + 0.3 * normal())
      })
    })
    const noise = noiseWithin(scores)
    expect(noise.repeats).toBeCloseTo(0.25, 1)
    expect(noise.judgeRuns).toBeCloseTo(0.09, 2)
    // what is left of the variance of the means is that between questions
    const means = scores.map((own) => own.flatMap((one) => one.reduce((a, b) => a + b, 0) / one.length))
    const ofQuestions = means.map((one) => one.reduce((a, b) => a + b, 0) / one.length)
    const { error } = cr2Mean(ofQuestions, [...ofQuestions.keys()])
    expect(error ** 2 * scores.length - noiseOfMeans(scores, noise)).toBeCloseTo(1, 1)
  })
})
