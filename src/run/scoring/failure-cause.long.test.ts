import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableOf } from '../../report/table/table.ts'
import { readResults } from '../../test-support/read-results.ts'
import { tinyPlan, tinyProject, tinySettings, writeConfig } from '../../test-support/tiny.ts'
import { openResults } from '../results/series.ts'
import { run } from '../run.ts'

/** A method that fails until a file says that it may answer. */
const shaky = (marker: string) => `import { existsSync } from 'node:fs'
import { defineMethod, z } from 'gembench'
export const shaky = defineMethod({ name: 'shaky', summary: 'Fails.', options: z.strictObject({}),
  async index(chunks) {
    return { async retrieve() {
      if (!existsSync(${JSON.stringify(marker)})) throw new Error('not yet')
      return [{ text: chunks[3].text, score: 1, from: [chunks[3].id], kind: 'chunk' }]
    } }
  } })`

const scorers = ['accuracy', 'qasper-f1', 'failure-cause']

async function causesIn(folder: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, string[]> = {}
  for (const { method, question, scorer, metrics, skipped, parts } of (await readResults(folder)).scores)
    if (scorer === 'failure-cause')
      (found[method] ??= []).push(
        `${question}: ${String(skipped ?? (metrics?.['wrong'] ? parts?.['cause'] : 'right'))}`,
      )
  return found
}

test('every wrong answer to a question with evidence, and every failed trial, has one cause', async () => {
  const project = await tinyProject({ methods: ['closed-book', 'bm25', './shaky.ts', 'oracle'], scorers })
  const marker = join(project, 'may-answer')
  await writeFile(join(project, 'shaky.ts'), shaky(marker))
  const first = await run(await tinyPlan(project), tinySettings(project))
  const before = await causesIn(first.folder)
  const none = 'the row is asked without a context on purpose'
  expect(before).toEqual({
    'closed-book': [`builder: ${none}`, `oven: ${none}`, 'price: no evidence supports an answer'],
    bm25: expect.arrayContaining(['price: no evidence supports an answer']),
    shaky: ['builder: failed', 'oven: failed', 'price: no evidence supports an answer'],
    oracle: expect.arrayContaining(['price: no evidence supports an answer']),
  })
  const opened = await openResults(first.folder, '')
  const { cells } = await tableOf(opened.manifest, opened)
  const failed = cells.find(({ method, metric }) => method === 'shaky' && metric === 'failed')
  expect(failed).toMatchObject({ mean: 1, n: 2, failed: 0 })

  const again = await run(await tinyPlan(project), tinySettings(project))
  expect(again.scores.made).toBe(0)

  await writeFile(marker, '')
  await run(await tinyPlan(project), tinySettings(project))
  const after = await causesIn(first.folder)
  expect(after['shaky']).toHaveLength(3)
  expect(after['shaky']?.join()).not.toContain('failed')
  expect(after['bm25']).toEqual(before['bm25'])
})

test('an oracle row that is added later changes the causes', async () => {
  const project = await tinyProject({ methods: ['random'], scorers })
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  const untold = async () =>
    (await readResults(folder)).scores
      .filter(({ scorer, method, metrics }) => scorer === 'failure-cause' && method === 'random' && metrics)
      .map(({ metrics }) => [metrics?.['wrong'], metrics?.['answererUntold']])
  expect(await untold()).toEqual([
    [0, 0],
    [1, 1],
  ])
  await writeConfig(project, { methods: ['random', 'oracle'], scorers })
  await run(await tinyPlan(project), tinySettings(project))
  expect(await untold()).toEqual([
    [0, 0],
    [1, 0],
  ])
})
