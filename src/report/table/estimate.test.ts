import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cr2Mean } from '../../math/statistics/cr2.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import { estimate, type Estimate, observations } from './estimate.ts'

/** Scores by question, repeat and judge run. */
type Scores = readonly (readonly (readonly number[])[])[]

function of(scores: Scores, clusters: readonly string[] = []): Estimate {
  const found = observations()
  scores.forEach((repeats, question) => {
    repeats.forEach((runs, repeat) => {
      runs.forEach((value, run) => {
        found.add(question, repeat, run, value)
      })
    })
  })
  return estimate(found.byQuestion(), (question) => clusters[question] ?? question)
}
const once = (values: readonly number[]): Scores => values.map((value) => [[value]])

describe('estimate', () => {
  test('judge runs nest in repeats and repeats in questions: they add no questions', () => {
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
    const found = of(scores)
    expect(found).toMatchObject({ n: 2, clusters: 2, repeats: 2, judgeRuns: 2 })
    expect(found.mean).toBeCloseTo(0.475, 12)
    expect(found.error).toBeCloseTo(0.275, 12)
    expect(found.repeatVariance).toBeCloseTo(0.25 ** 2 / 2, 12)
    expect(found.judgeVariance).toBeCloseTo(0.1 ** 2 / 2, 12)
  })

  test('more runs of the same scores change neither the mean nor the error', () => {
    const values = [0.1, 0.8, 0.4, 0.9]
    const [one, many] = [
      once(values),
      values.map((value) => Array.from({ length: 3 }, () => [value, value, value])),
    ].map((scores) => of(scores))
    expect(many?.mean).toBeCloseTo(one?.mean ?? NaN, 12)
    expect(many?.error).toBeCloseTo(one?.error ?? NaN, 12)
    expect(many).toMatchObject({ repeatVariance: 0, judgeVariance: 0 })
    expect(one).toMatchObject({ repeatVariance: null, judgeVariance: null })
  })

  test('the error is that of clusters, CR2, and the largest of them is known', () => {
    const values = [1, 1, 0, 0.5, 0, 0]
    const clusters = ['a', 'a', 'a', 'b', 'b', 'c']
    const { error, low, high } = cr2Mean(values, clusters)
    expect(of(once(values), clusters)).toMatchObject({ n: 6, clusters: 3, largest: 0.5, error, low, high })
  })

  test.each([
    ['equal scores', [0.5, 0.5, 0.5, 0.5]],
    ['scores that differ by rounding', [0.1 + 0.2, 0.3, 0.3, 0.3]],
  ])('%s say nothing of how others would differ', (_what, values) => {
    expect(of(once(values), ['a', 'a', 'b', 'b'])).toMatchObject({ error: null, low: null, high: null })
  })

  test('repeats differ on the questions that all of them have', () => {
    const [first, second] = [
      [[1], [1]],
      [[0], [0]],
    ]
    expect(of([first, second, [[1]], [[1]]] as Scores)).toMatchObject({ n: 4, repeats: 2, repeatVariance: 0 })
    const one = of([[[1], [0]], [[1]]] as Scores)
    expect(one).toMatchObject({ repeats: 2, repeatVariance: 0.5 })
  })

  test('proportions have the interval of Wilson, however many; of equal clusters, with as many answers as clusters', () => {
    const { low, high } = of(once([1, 1, 1, 1]))
    expect(low).toBeCloseTo(0.5101, 4)
    expect(high).toBe(1)
    const none = of(once(Array.from({ length: 300 }, () => 0)))
    expect(none).toMatchObject({ mean: 0, error: null, ...wilson(0, 300) })
    expect(of(once([1, 1, 1, 1]), ['a', 'a', 'b', 'b'])).toMatchObject({ error: null, ...wilson(2, 2) })
  })

  test('one cluster has no error, and nothing scored no mean', () => {
    expect(of(once([0, 1, 1]), ['a', 'a', 'a'])).toMatchObject({ mean: 2 / 3, error: null, low: null, high: null })
    expect(of([])).toMatchObject({ mean: null, n: 0, error: null, repeats: 0 })
  })

  test('the order of the scores does not matter', () => {
    const score = fc.record({
      question: fc.nat(9),
      repeat: fc.nat(2),
      run: fc.nat(2),
      value: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    const key = ({ question, repeat, run }: { question: number; repeat: number; run: number }): string =>
      `${question} ${repeat} ${run}`
    fc.assert(
      fc.property(fc.uniqueArray(score, { selector: key, minLength: 1, maxLength: 60 }), (scores) => {
        const [one, other] = [scores, scores.toReversed()].map((list) => {
          const found = observations()
          for (const { question, repeat, run, value } of list) found.add(question, repeat, run, value)
          return estimate(found.byQuestion(), (question) => question % 4)
        })
        expect(other?.mean).toBeCloseTo(one?.mean ?? NaN, 12)
        expect(other?.n).toBe(one?.n)
      }),
    )
  })
})
