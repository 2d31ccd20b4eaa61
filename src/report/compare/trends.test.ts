import { expect, test } from 'vitest'
import type { Manifest, MethodRecord } from '../../records.ts'
import { madeRun } from '../../test-support/fake-run.ts'
import { scoredRow } from '../gather/observations.ts'
import { trendText } from '../render/notes-on-runs.ts'
import { trendsOf } from './trends.ts'

const values = [0, 1, 3, 8]
const row = (k: number): MethodRecord => ({
  id: String(k),
  method: 'gem',
  use: 'gem-rag',
  options: { k },
  variant: `k=${k}`,
  varied: [{ option: 'k', text: String(k) }],
})
const { manifest: fixture } = madeRun({ rows: {} })
const [scorer] = fixture.scorers
if (!scorer) throw new Error('a made run has a scorer')
const manifest: Manifest = {
  ...fixture,
  methods: values.map(row),
  scorers: [{ ...scorer, id: 's', scorer: 'accuracy', columns: [{ metric: 'accuracy' }] }],
  compare: { metric: { scorer: 'accuracy', metric: 'accuracy' } },
}

/** Trends of rows by the values of the option; `meanOf` gives the score of a question in the row of an index. */
const trends = (of: Manifest, questions: number, meanOf: (index: number, question: number) => number) =>
  trendsOf(of, {
    cells: [],
    questions: { numberOf: () => 0, idOf: String, clusterOf: (question) => question },
    of: (id) => {
      const index = values.indexOf(Number(id))
      const scores = Array.from({ length: questions }, (_, question) => ({
        question,
        mean: meanOf(index, question),
        repeats: [],
      }))
      return scoredRow(() => scores, false)
    },
  })

/**
 * 60 questions whose scores have these means, with noise that the values of the option share and noise of their own.
 */
const trendOf = (means: readonly number[], margin?: number) => {
  const compare = { ...manifest.compare, ...(margin !== undefined && { margin }) }
  const [result] = trends({ ...manifest, compare }, 60, (index, question) => {
    const shared = ((question * 7) % 11) / 50
    return (means[index] ?? 0) + shared + ((question * (index + 3)) % 5) / 200
  })
  return result
}

test('finds the value at which a rising score saturates', () => {
  const result = trendOf([0.3, 0.5, 0.505, 0.5])
  expect(result).toMatchObject({ option: 'k', curve: 'gem', values, questions: 60, margin: 0.02, saturation: 1 })
  expect(result?.rises).toBeLessThan(0.05)
  expect(trendText(result!)).toMatch(
    /^accuracy by k of gem \(0, 1, 3, 8\): rises \(p .*\); after 1 it rises by less than 2 points \(/,
  )
})

test('finds no saturation of a score that keeps rising, and the first value for a falling score', () => {
  expect(trendOf([0.3, 0.4, 0.5, 0.6])).toMatchObject({ saturation: null })
  const falling = trendOf([0.6, 0.5, 0.4, 0.3])
  expect(falling).toMatchObject({ saturation: 0 })
  expect(trendText(falling!)).toMatch(/: falls \(p [\d.]+\) \(.*60 questions\)$/)
  // the margin of the config counts
  expect(trendOf([0.3, 0.4, 0.5, 0.6], 0.4)).toMatchObject({ saturation: 0, margin: 0.4 })
})

test('finds no trend in equal scores or in two values', () => {
  const flat = trends(manifest, 2, () => 1)
  expect(flat).toMatchObject([{ rises: 1, falls: 1, saturation: null }])
  expect(trendText(flat[0]!)).toContain('no trend (rise p 1, fall p 1); no value is shown after which')
  expect(trends({ ...manifest, methods: values.slice(0, 2).map(row) }, 1, () => 1)).toEqual([])
})
