import { expect, test } from 'vitest'
import { conditionsOf } from '../../report/render/conditions.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

test('scores of an earlier run are shown with their judge when the judge has changed', async () => {
  const project = await tinyProject({ methods: ['bm25'], judgeRuns: 1 })
  const judgedBy = async (judge: string, scorer: string) => {
    const plan = await tinyPlan(project, [`models.judge=${judge}`, `scorers=[${scorer}]`])
    const { manifest } = await run(plan, tinySettings(project))
    const said = conditionsOf(manifest)
      .split('; ')
      .find((one) => one.startsWith('judged'))
    return { said, records: manifest.scorers.map(({ scorer, judgedBy }) => [scorer, judgedBy?.provider]) }
  }
  expect((await judgedBy('fake', 'answer-relevancy')).said).toBe('judged by fake')
  const own = await judgedBy('extractive', 'faithfulness')
  expect(own.records).toEqual([
    ['faithfulness', undefined],
    ['answer-relevancy', 'fake'],
  ])
  expect(own.said).toBe('judged by the model that answers, extractive (faithfulness) and by fake (answer-relevancy)')
  const back = await judgedBy('fake', 'factual-correctness')
  expect(back.records).toEqual([
    ['factual-correctness', undefined],
    ['faithfulness', 'extractive'],
    ['answer-relevancy', undefined],
  ])
})
