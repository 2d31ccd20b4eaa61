import { expect, test } from 'vitest'
import { wilson } from '../../math/statistics/proportions.ts'
import type { BenchMeasure } from '../../records.ts'
import { answerMeasures, pairMeasures, type BenchedPair } from './bench-measures.ts'

const valuesOf = (measures: readonly BenchMeasure[]) =>
  Object.fromEntries(measures.map(({ measure, value }) => [measure, value]))

const named = (measures: readonly BenchMeasure[], name: string) => measures.find(({ measure }) => measure === name)

const pair = (
  cluster: string,
  humans: readonly number[],
  judge: number,
  longer: BenchedPair['longer'],
  places?: BenchedPair['places'],
): BenchedPair => ({
  ...{ cluster, humans, judge, longer },
  human: humans.reduce((sum, one) => sum + one, 0) / humans.length,
  ...(places && { places }),
})

const pairs = [
  pair('a', [1, 2], 1, 1, [1, 2]),
  pair('b', [-1, -1], -1, -1, [2, 1]),
  pair('c', [0, 1], 0, 1, [1, 1]),
  pair('d', [1, -1], 0, 0, [2, 2]),
]

test('a judge of pairs, counted by hand', () => {
  const measures = pairMeasures(pairs)
  expect(valuesOf(measures)).toMatchObject({
    ...{ agreement: 0.75, sensitivity: 0.5, specificity: 1, annotators: 0.5, flips: 0.5, positionBias: 0 },
    longerByPeople: 1,
  })
  expect(named(measures, 'longerByJudge')).toMatchObject({ value: expect.closeTo(5 / 6), n: 3 })
  expect(named(measures, 'lengthBias')?.value).toBeCloseTo(-1 / 6)
  expect(named(measures, 'agreement')).toEqual({ measure: 'agreement', value: 0.75, n: 4, ...wilson(3, 4) })
  expect(named(measures, 'sensitivity')?.n).toBe(2)
})

test('one that always takes the first place is biased by 1, and a judge of single answers has no place', () => {
  const biased = pairMeasures(pairs.map((one) => ({ ...one, judge: 0, places: [1, 1] })))
  expect(valuesOf(biased)).toMatchObject({ flips: 1, positionBias: 1, correlation: null })
  const single = pairMeasures(pairs.map(({ places: _places, ...one }) => one))
  expect(single.map(({ measure }) => measure)).not.toContain('flips')
  expect(pairMeasures([]).every(({ value, n }) => value === null && n === 0)).toBe(true)
})

test('single answers: verdicts from a threshold on, and differences of the scores', () => {
  const items = [
    { cluster: 'a', human: 1, judge: 0.9 },
    { cluster: 'b', human: 1, judge: 0.4 },
    { cluster: 'c', human: 0, judge: 0.1 },
    { cluster: 'd', human: 0, judge: 0.2 },
  ]
  expect(valuesOf(answerMeasures(items, 0.5))).toMatchObject({
    ...{ agreement: 0.75, sensitivity: 0.5, specificity: 1, kappa: 0.5 },
    difference: expect.closeTo(-0.1),
  })
  expect(answerMeasures(items, undefined).map(({ measure }) => measure)).toEqual(['difference', 'correlation'])
})

test('verdicts that share a question widen the interval of their share', () => {
  const items = Array.from({ length: 40 }, (_, i) => ({
    ...{ cluster: `q${i >> 2}`, human: 1 },
    judge: i >> 2 < 7 ? 1 : 0,
  }))
  const together = named(answerMeasures(items, 0.5), 'sensitivity')
  const apart = named(
    answerMeasures(
      items.map((one, i) => ({ ...one, cluster: `q${i}` })),
      0.5,
    ),
    'sensitivity',
  )
  const width = (one: BenchMeasure | undefined): number => (one?.high ?? NaN) - (one?.low ?? NaN)
  expect(together?.value).toBe(0.7)
  expect(apart?.value).toBe(0.7)
  expect(width(together)).toBeGreaterThan(1.5 * width(apart))
})
