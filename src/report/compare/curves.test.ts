import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { madeRun } from '../../test-support/made-run.ts'
import { crossingText, notesOnCurves } from '../render/notes-on-trends.ts'
import { curvesOf, type Curves } from './curves.ts'

const values = [1, 2, 4, 8]

const rowOf = (method: string, varied: Readonly<Record<string, string>>): MethodRecord => {
  const variant = Object.entries(varied)
    .map((one) => one.join('='))
    .join(', ')
  return {
    ...{ id: `${method} ${variant}`, method, use: 'vector', options: {}, variant },
    ...(variant !== '' && { varied: Object.entries(varied).map(([option, text]) => ({ option, text })) }),
  }
}

const [scorer] = madeRun({ rows: {} }).manifest.scorers
if (!scorer) throw new Error('a made run has a scorer')
const manifestOf = (methods: readonly MethodRecord[]): Manifest => ({ ...madeRun({ rows: {} }).manifest, methods })

type ScoreOf = (question: number, at: number) => number

/** Rows that vary `k`, or that one score, on so many questions. */
function made(
  rows: Readonly<Record<string, { readonly score: ScoreOf; readonly flat?: true; readonly at?: readonly number[] }>>,
  { questions = 60, cluster = (question: number): string | number => question, seed = 42, luck = false } = {},
) {
  const methods = Object.entries(rows).flatMap(([name, { flat, at = values }]) =>
    flat ? [rowOf(name, {})] : at.map((k) => rowOf(name, { k: `${k}` })),
  )
  return curvesOf(
    {
      ...manifestOf(methods),
      seed,
      compare: { metric: { scorer: 'accuracy', metric: 'accuracy' } },
    },
    {
      ...{ cells: [], questions: { numberOf: () => 0, clusterOf: cluster } },
      ...{ failedQuestions: () => new Set(), hasOwnIndexes: () => luck },
      byQuestion: (id) => {
        const row = methods.find((one) => one.id === id)
        const own = row && rows[row.method]
        if (!own) return []
        const at = values.indexOf(Number(row.varied?.[0]?.text))
        return Array.from({ length: questions }, (_, question) => ({
          question,
          mean: own.score(question, at),
          repeats: [],
        }))
      },
    },
  )
}

const curves = (found: ReturnType<typeof curvesOf>): Curves => {
  if (typeof found !== 'object') throw new Error(`no curves: ${found}`)
  return found
}

/** Noise that depends on its arguments alone, between -.5 and .5. */
const noise = (...of: readonly number[]): number =>
  ((Math.sin(of.reduce((sum, one) => sum * 31.7 + one, 1)) * 1e4) % 1) / 2

describe('crossings', () => {
  // b - a is -.3, -.1, .1, .3 in the mean: 0 in the middle between 2 and 4
  const lines = {
    a: { score: (question: number, at: number) => 0.5 + noise(question, at) },
    b: {
      score: (question: number, at: number) =>
        0.2 * (at - 1.5) + 0.5 + noise(question, at) / 2 + noise(question + 99, at) / 2,
    },
  }

  test('lie between values at which the tests show both orders, with an interval around the zero', () => {
    const found = curves(made(lines, { questions: 200 }))
    expect(found).toMatchObject({ option: 'k', values, questions: 200, clusters: 200, untold: 0, tests: 4 })
    const [crossing, ...others] = found.crossings
    if (!crossing) throw new Error('no crossing')
    expect(others).toEqual([])
    expect(crossing).toMatchObject({ above: 'b', below: 'a' })
    const { from, low, at, high, to } = crossing
    expect([from, low, at, high, to].map(Number)).toEqual(
      [from, low, at, high, to].map(Number).toSorted((x, y) => x - y),
    )
    expect(Math.abs((at ?? NaN) - 3)).toBeLessThan(0.5)
    expect(high - low).toBeLessThan(2)
    expect(crossingText(found, crossing)).toMatch(
      /^b passes a between [\d.]+ and [\d.]+ of k \(95 % interval; shown below at/,
    )
  })

  test('are the same for the same seed', () => {
    expect(made(lines)).toEqual(made(lines))
  })

  test('are not told where only one side is shown, and such pairs are counted', () => {
    const late = {
      a: lines.a,
      b: { score: (question: number, at: number) => lines.b.score(question, at) - [-0.28, -0.09, 0, 0][at]! },
    }
    const found = curves(made(late))
    expect(found.crossings).toEqual([])
    expect(found.untold).toBeLessThanOrEqual(1)
    const near = curves(
      made({
        a: { score: () => 0.5 },
        b: { score: (question, at) => 0.5 + (at < 2 ? -1 : 1) * (question === 0 ? 0.1 : 0) },
      }),
    )
    expect(near).toMatchObject({ crossings: [], untold: 1 })
    expect(notesOnCurves({ curves: near })[0]).toMatch(
      /^The means of 1 pair of rows change their order with k; that they cross cannot be told/,
    )
  })

  test('two orders back and forth are two crossings, and a flat row is crossed, too', () => {
    const bumps = (question: number, at: number) => 0.5 + (at === 1 || at === 2 ? 0.3 : -0.3) + noise(question, at) / 4
    const found = curves(made({ a: { score: bumps }, level: { score: () => 0.5, flat: true } }))
    expect(found.crossings.map(({ above, below, from, to }) => [above, below, from, to])).toEqual([
      ['a', 'level', 1, 2],
      ['level', 'a', 4, 8],
    ])
  })

  test('questions of one text count as one: five texts show nothing', () => {
    const found = curves(made(lines, { questions: 200, cluster: (question) => question % 5 }))
    expect(found).toMatchObject({ clusters: 5, crossings: [], untold: 1 })
    expect(notesOnCurves({ curves: found }).at(-1)).toContain('no test can show a difference')
  })

  test('of rows that are equal everywhere a crossing is claimed in at most 5 % of runs, and intervals hold the zero in about 95 %', () => {
    const runs = 40
    let [claimed, told, held] = [0, 0, 0]
    for (let seed = 1; seed <= runs; seed++) {
      const random = mulberry32(seed)
      const drawn = Array.from({ length: 80 }, () => values.map(() => random() - random()))
      const of = (question: number, at: number) => drawn[question]![at]!
      const equal = curves(made({ a: { score: () => 0 }, b: { score: of } }, { questions: 80, seed }))
      claimed += Number(equal.crossings.length > 0)
      // the mean difference is 0 at 3
      const rising = { score: (question: number, at: number) => 0.3 * (at - 1.5) + of(question, at) }
      const [crossing] = curves(made({ a: { score: () => 0 }, b: rising }, { questions: 80, seed })).crossings
      if (!crossing) continue
      told++
      held += Number(crossing.low <= 3 && crossing.high >= 3)
    }
    expect(claimed).toBeLessThanOrEqual(4)
    expect(told).toBeGreaterThan(36)
    expect(held / told).toBeGreaterThan(0.88)
  })
})

describe('areas', () => {
  test('are the trapezoids over the range of the key', () => {
    const scores = [0.1, 0.3, 0.5, 0.2]
    const found = curves(made({ a: { score: (_, at) => scores[at]! }, level: { score: () => 0.25, flat: true } }))
    // (1 · .2 + 2 · .4 + 4 · .35) / 7
    expect(found.areas.rows.map(({ method, mean }) => [method, Number(mean.toFixed(12))])).toEqual([
      ['a', Number((2.4 / 7).toFixed(12))],
      ['level', 0.25],
    ])
    expect(found.areas.pairs[0]).toMatchObject({ difference: expect.closeTo(2.4 / 7 - 0.25, 12), questions: 60 })
  })

  test('the leader is told with the rows that it is shown to be above', () => {
    const found = curves(
      made({
        a: { score: (question, at) => 0.6 + noise(question, at) / 10 },
        b: { score: (question, at) => 0.6 + noise(question + 7, at) / 10 },
        c: { score: (question, at) => 0.2 + noise(question, at) / 10 },
      }),
    )
    expect(notesOnCurves({ curves: found })).toEqual([
      expect.stringMatching(/order with k/),
      expect.stringMatching(
        /^accuracy in the mean over k from 1 to 8 \(area under the curve\): [ab] .*is shown to be above c \(sign flips, Westfall–Young over 3 pairs/,
      ),
    ])
  })
})

test('nothing is said of two numbers, one value or one row; indexes of their own are a reason', () => {
  const one: ScoreOf = () => 1
  expect(made({ a: { score: one } })).toBeUndefined()
  expect(made({ a: { score: one, at: [1] }, b: { score: one, flat: true } })).toBeUndefined()
  expect(made({ a: { score: one }, b: { score: one } }, { luck: true })).toContain('indexes of their own')
  const two = ['1', '2'].flatMap((k) => ['1', '2'].flatMap((m) => ['a', 'b'].map((name) => rowOf(name, { k, m }))))
  const scores = {
    cells: [],
    questions: { numberOf: () => 0, clusterOf: () => 0 },
    byQuestion: () => [],
    failedQuestions: () => new Set<number>(),
    hasOwnIndexes: () => false,
  }
  expect(curvesOf(manifestOf(two), scores)).toBeUndefined()
  const short = curves(made({ a: { score: one }, b: { score: one }, c: { score: one, at: [1, 2] } }))
  expect([short.leftOut, short.rows.map(({ row }) => row)]).toEqual([['c'], ['a', 'b']])
  expect(notesOnCurves({ curves: short })[0]).toBe('Not compared as curves, not at every value of k: c.')
})
