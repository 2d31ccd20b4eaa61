import { expect, test } from 'vitest'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

test('a run warns before its first question that the budget holds no whole chunk', async () => {
  const project = await tinyProject({ methods: ['bm25'] })
  const warnings: string[] = []
  const tell = { warn: (line: string) => void warnings.push(line) }
  await run(await tinyPlan(project), tinySettings(project, tell))
  expect(warnings).toEqual([])
  const start = (stage: string): void => void warnings.push(stage)
  const progress = { start, tick: () => undefined, end: () => undefined }
  await run(await tinyPlan(project, ['budget.tokens=1']), tinySettings(project, { ...tell, progress }))
  expect(warnings).toEqual([
    expect.stringMatching(
      /^note: the budget of 1 token holds no whole chunk of \d+; raise budget.tokens or lower chunks.size$/,
    ),
    'ask',
    'judge',
  ])
})
