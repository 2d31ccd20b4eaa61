import { expect, test } from 'vitest'
import { manifest, plainScorer, results, sampleOf, scorer, world } from '../../test-support/judged-results.ts'
import { labelsCsv } from './draw-sample.ts'
import { checkJudge } from './judge-check.ts'
import { judgedMetric, judgedScorer } from './judged-rows.ts'
import { readLabels } from './read-labels.ts'

test('samples questions at random by seed, with the answers of every row in hidden order', async () => {
  const folder = world(50, 1)
  const sample = await sampleOf(folder, { size: 20 })
  expect(sample).toMatchObject({ questions: 20, of: 50, rows: 2 })
  expect(await sampleOf(folder, { size: 20 })).toEqual(sample)
  expect((await sampleOf(folder, { size: 20, seed: 2 })).answers).not.toEqual(sample.answers)
  const text = labelsCsv('judged', sample.answers)
  expect(text).not.toMatch(/good|poor|id-/)
  for (const question of new Set(sample.answers.map((answer) => answer.question)))
    expect(sample.answers.filter((answer) => answer.question === question)).toHaveLength(2)
  // the first answers to the questions are not always of one row; those of "good" have even numbers
  const firstAnswers = sample.answers.filter((_, i) => i % 2 === 0)
  const goodCount = firstAnswers.filter(({ answer }) => /[02468]$/.test(answer)).length
  expect(goodCount).toBeGreaterThan(2)
  expect(goodCount).toBeLessThan(18)
})

test('begins a larger sample with the smaller one of the same seed', async () => {
  const folder = world(50, 1)
  const [small, large] = [await sampleOf(folder, { size: 10 }), await sampleOf(folder, { size: 30 })]
  expect(large.answers.slice(0, small.answers.length)).toEqual(small.answers)
})

test('merges equal answers, takes the first scored repeat, and skips unscored questions', async () => {
  const folder = results([
    { row: 'good', question: 1, human: 1, judge: 1, answer: 'same' },
    { row: 'poor', question: 1, human: 1, judge: 1, answer: 'same' },
    { row: 'good', question: 2, human: 1, judge: null, repeat: 0, answer: 'first' },
    { row: 'good', question: 2, human: 1, judge: 1, repeat: 1, answer: 'second' },
    { row: 'good', question: 3, human: 1, judge: null, answer: 'third' },
  ])
  const { answers, of } = await sampleOf(folder)
  expect(of).toBe(2)
  expect(answers.map(({ ids, answer }) => [ids.length, answer]).sort()).toEqual([
    [1, 'second'],
    [2, 'same'],
  ])
})

test('refuses a run without a judge, an unknown metric, and a run without answers', async () => {
  expect(() => judgedScorer({ ...manifest, scorers: [plainScorer] })).toThrow('no scorer that asks a judge')
  const { journals } = world(2, 1)
  const labels = await readLabels('l.csv', 'id,scorer,verdict\na1,judged,1\n', () => [0, 1])
  await expect(checkJudge(manifest, journals, judgedMetric(scorer, 'rigt'), labels)).rejects.toThrow(
    'did you mean "right"',
  )
  await expect(checkJudge(manifest, world(0, 1).journals, judgedMetric(scorer), labels)).rejects.toThrow('no answer')
})
