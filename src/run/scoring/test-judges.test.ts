import { expect, test } from 'vitest'
import { shortNotes } from '../../report/render/notes.ts'
import { columnsOf } from '../../report/render/columns.ts'
import { tableOf } from '../../report/table/table.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { openResults } from '../results/series.ts'
import { run } from '../run.ts'
import { rescore } from './rescore.ts'

/** A run whose judge gives one reply to everything. */
async function judgedBy(reply: string, scorer: string) {
  const project = await tinyProject({
    models: { complete: 'extractive', embed: 'fake', judge: { use: 'fake', reply } },
    methods: ['bm25', 'vector'],
    scorers: [scorer],
    judgeRuns: 1,
  })
  const settings = tinySettings(project)
  const outcome = await run(await tinyPlan(project), settings)
  return { ...outcome, settings }
}

test('a judge that gives true and false claims the same verdict is named, and its columns are marked', async () => {
  const always = '{"reason": "The passage names the builder of the mill.", "verdict": 1}'
  const { folder, manifest, settings } = await judgedBy(always, 'context-precision')
  expect(manifest.scorers[0]?.judgeTest).toMatchObject({
    true: { claims: 2, right: 2 },
    false: { claims: 2, right: 0 },
    failed: 0,
    always: '1',
    usage: { calls: 4 },
  })
  const table = await tableOf(manifest, await openResults(folder, ''))
  expect(columnsOf(manifest, table).map(({ label }) => label)).toEqual(['context precision ¶'])
  expect(shortNotes(manifest, table).join('\n')).toContain(
    'The judge of context-precision on right answers of the dataset and those of other questions: sensitivity 100.0 % (2 of 2), specificity 0.0 % (0 of 2). ¶ fake answered 1 to all of them',
  )
  // scored again without a change it says the same
  await rescore(await openResults(folder, ''), settings, { isTrusted: true })
  const { manifest: again } = await openResults(folder, '')
  expect(again.scorers[0]?.judgeTest).toEqual(manifest.scorers[0]?.judgeTest)
})

test('a judge with unreadable replies has no verdict, and the run continues', async () => {
  const { manifest, scores } = await judgedBy('I like mills.', 'context-precision')
  const { judgeTest } = manifest.scorers[0] ?? {}
  expect(judgeTest).toMatchObject({ true: { claims: 0 }, false: { claims: 0 }, failed: 4 })
  expect(judgeTest).not.toHaveProperty('always')
  expect(scores.failed).toBeGreaterThan(0)
})
