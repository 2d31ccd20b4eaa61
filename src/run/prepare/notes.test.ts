import { expect, test } from 'vitest'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

test('a run warns before its first question that no chunk fits the budget', async () => {
  const project = await tinyProject({ methods: ['bm25'] })
  const warnings: string[] = []
  const tell = { warn: (line: string) => void warnings.push(line) }
  await run(await tinyPlan(project), tinySettings(project, tell))
  expect(warnings).toEqual([])
  const start = (stage: string): void => void warnings.push(stage)
  const progress = { start, tick: () => undefined, end: () => undefined }
  await run(
    await tinyPlan(project, ['chunks.by=none', 'budget.tokens=1']),
    tinySettings(project, { ...tell, progress }),
  )
  expect(warnings).toEqual([
    expect.stringMatching(
      /^note: no chunk fits the budget of 1 token: the shortest has \d+; raise budget.tokens or lower chunks.size$/,
    ),
    'ask',
    'judge',
  ])
})
