import { describe, expect, test } from 'vitest'
import { expectMistakes, readYaml } from '../test-support/fake-configs.ts'
import { findMetric } from '../text/names.ts'

const sound = 'name: a\ndataset: sample\nmethods: [bm25, gem-rag]\n'
const varied = `${sound}vary: { gem-rag.components: [1, 2] }\n`

test('compare.baseline resolves to a row, and compare.metric keeps its place', async () => {
  const plan = await readYaml(`${varied}compare:\n  baseline: gem-rag (components=2)\n  metric: f1\n  margin: .03\n`)
  expect(plan.compare).toEqual({
    baseline: { method: 'gem-rag', variant: 'components=2' },
    metric: { name: 'f1', at: 'a.yaml:7:11' },
    margin: 0.03,
  })
  expect(plan.record['compare']).toMatchObject({ baseline: 'gem-rag (components=2)', metric: 'f1', margin: 0.03 })
  expect(await readYaml(sound)).not.toHaveProperty('compare')
})

test.each([
  [`${sound}compare: { baseline: bm52 }\n`, 'a.yaml:4:22: compare.baseline: unknown row "bm52"; did you mean "bm25"?'],
  [`${varied}compare: { baseline: gem-rag }\n`, 'a.yaml:5:22: compare.baseline: "gem-rag" has several rows'],
  [`${sound}compare: { margin: 3 }\n`, 'a.yaml:4:20: compare.margin: Too big'],
  [`${sound}compare: { base: bm25 }\n`, 'a.yaml:4:12: unknown key in compare: "base"'],
])('an invalid compare section is reported: %j', async (...config) => {
  await expectMistakes(config)
})

describe('compare.metric', () => {
  const scorers = [
    { scorer: 'accuracy', columns: [{ metric: 'accuracy' }, { metric: 'accuracy', subset: 'hard', label: 'hard' }] },
    { scorer: 'squad', columns: [{ metric: 'f1', label: 'F1' }] },
    {
      scorer: 'musique',
      columns: [
        { metric: 'f1', label: 'F1' },
        { metric: 'mrr', label: 'MRR' },
      ],
    },
    { scorer: 'length', columns: [{ metric: 'steps', unit: 'number' as const }] },
  ]

  test.each([
    ['squad.f1', { scorer: 'squad', metric: 'f1' }],
    ['f1', '"f1" is a metric of several scorers; name squad.f1 or musique.f1'],
    [
      'squd.f1',
      'unknown metric "squd.f1"; did you mean "squad.f1"? (known: accuracy.accuracy, squad.f1, musique.f1, musique.mrr)',
    ],
    [
      'steps',
      'the metric "steps" has no better direction: rows cannot be compared on a number that is no share (comparable: accuracy, squad.f1, musique.f1, mrr)',
    ],
  ])('%s names a metric, or is reported', (name, expected) => {
    expect(findMetric(name, scorers)).toEqual(expected)
  })
})
