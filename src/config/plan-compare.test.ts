import { expect, test } from 'vitest'
import { expectMistakes, readYaml } from '../test-support/fake-configs.ts'

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
])('an invalid compare section is reported: %j', async (...config) => {
  await expectMistakes(config)
})
