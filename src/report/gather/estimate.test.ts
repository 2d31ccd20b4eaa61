import { describe, expect, test } from 'vitest'
import { cr2Mean } from '../../math/statistics/cr2.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import { estimate, type Estimate } from './estimate.ts'
import { observations } from './observations.ts'

/** Scores by question, repeat and judge run. */
type Scores = readonly (readonly (readonly number[])[])[]

function of(scores: Scores, clusters: readonly string[] = []): Estimate {
  const result = observations()
  scores.forEach((repeats, question) => {
    repeats.forEach((runs, repeat) => {
      runs.forEach((value, run) => {
        result.add(question, repeat, run, value)
      })
    })
  })
  return estimate(result.byQuestion(), (question) => clusters[question] ?? question)
}
const once = (values: readonly number[]): Scores => values.map((value) => [[value]])

describe('estimate', () => {
  test('averages judge runs within repeats, and repeats within questions', () => {
    const scores = [
      [
        [0.5, 0.7],
        [0.9, 0.9],
      ],
      [
        [0.1, 0.1],
        [0.2, 0.4],
      ],
    ]
    // questions .75 and .2; repeats .35 and .6; judge runs .3, .4 in the first repeat, .55, .65 in the second
    const result = of(scores)
    expect(result).toMatchObject({ n: 2, clusters: 2, repeats: 2, judgeRuns: 2 })
    expect(result.mean).toBeCloseTo(0.475, 12)
    expect(result.error).toBeCloseTo(0.275, 12)
    expect(result.repeatVariance).toBeCloseTo(0.25 ** 2 / 2, 12)
    expect(result.judgeVariance).toBeCloseTo(0.1 ** 2 / 2, 12)
  })

  test('clusters the standard error (CR2), and reports the share of the largest cluster', () => {
    const values = [1, 1, 0, 0.5, 0, 0]
    const clusters = ['a', 'a', 'a', 'b', 'b', 'c']
    const { error, low, high } = cr2Mean(values, clusters)
    expect(of(once(values), clusters)).toMatchObject({ n: 6, clusters: 3, largest: 0.5, error, low, high })
  })

  test.each([
    ['equal scores', [0.5, 0.5, 0.5, 0.5]],
    ['scores that differ by rounding', [0.1 + 0.2, 0.3, 0.3, 0.3]],
  ])('has no error for %s', (_label, values) => {
    expect(of(once(values), ['a', 'a', 'b', 'b'])).toMatchObject({ error: null, low: null, high: null })
  })

  test('compares repeats on their common questions', () => {
    const [first, second] = [
      [[1], [1]],
      [[0], [0]],
    ]
    expect(of([first, second, [[1]], [[1]]] as Scores)).toMatchObject({ n: 4, repeats: 2, repeatVariance: 0 })
    const single = of([[[1], [0]], [[1]]] as Scores)
    expect(single).toMatchObject({ repeats: 2, repeatVariance: 0.5 })
  })

  test('gives proportions the interval of Wilson, by clusters where these are uniform', () => {
    const { low, high } = of(once([1, 1, 1, 1]))
    expect(low).toBeCloseTo(0.5101, 4)
    expect(high).toBe(1)
    const zeros = of(once(Array.from({ length: 300 }, () => 0)))
    expect(zeros).toMatchObject({ mean: 0, error: null, ...wilson(0, 300) })
    expect(of(once([1, 1, 1, 1]), ['a', 'a', 'b', 'b'])).toMatchObject({ error: null, ...wilson(2, 2) })
  })

  test('has no error for one cluster, and no mean without scores', () => {
    expect(of(once([0, 1, 1]), ['a', 'a', 'a'])).toMatchObject({ mean: 2 / 3, error: null, low: null, high: null })
    expect(of([])).toMatchObject({ mean: null, n: 0, error: null, repeats: 0 })
  })
})
