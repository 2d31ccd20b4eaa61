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
        values: [],
      }))
      return scoredRow(() => scores, false)
    },
  })

/**
 * 60 questions whose scores have these means, with noise that the values of the option share and noise of their own.
 */
const trendOf = (means: readonly number[]) => {
  const [result] = trends(manifest, 60, (index, question) => {
    const shared = ((question * 7) % 11) / 50
    return (means[index] ?? 0) + shared + ((question * (index + 3)) % 5) / 200
  })
  return result
}

test('a score rises, falls or stays with the values of an option', () => {
  const rising = trendOf([0.3, 0.5, 0.505, 0.5])
  expect(rising).toMatchObject({ option: 'k', curve: 'gem', values, questions: 60 })
  expect(rising?.rises).toBeLessThan(0.05)
  expect(trendText(rising!)).toMatch(
    /^accuracy by k of gem \(0, 1, 3, 8\): rises \(p .*\) \(sign flips, 60 questions\)$/,
  )
  expect(trendText(trendOf([0.6, 0.5, 0.4, 0.3])!)).toMatch(/: falls \(p [\d.]+\)/)
  const flat = trends(manifest, 2, () => 1)
  expect(flat).toMatchObject([{ rises: 1, falls: 1 }])
  expect(trendText(flat[0]!)).toContain('no trend (rise p 1, fall p 1)')
})

test('two values have no trend', () => {
  expect(trends({ ...manifest, methods: values.slice(0, 2).map(row) }, 1, () => 1)).toEqual([])
})
