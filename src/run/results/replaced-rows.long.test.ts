import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTables } from '../../library/write-tables.ts'
import { notesOf } from '../../report/render/notes.ts'
import { tinyPlan, tinyPlans, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run, runAll } from '../run.ts'

const config = { methods: ['bm25'] }
const other = 'methods=[{use: bm25, k1: 0.5}]'
const note = (options: string): string =>
  `bm25: older results of this label are hidden (${options}); use different labels to see both.`

/** The rows and the notes on a terminal after one run after the other in one folder. */
async function after(project: string, ...runs: readonly (readonly string[])[]) {
  let folder = ''
  for (const set of runs) ({ folder } = await run(await tinyPlan(project, set), tinySettings(project)))
  const { manifest, table } = await writeTables(folder)
  const rows = manifest.methods.map(({ method, variant, inConfig }) => [method, variant, inConfig])
  const notes = notesOf(manifest, table).filter((one) => one.includes('are hidden'))
  return { folder, rows, notes }
}

test('a note names a row, with its options, that another row of the same label replaced, until the row returns', async () => {
  const project = await tinyProject(config)
  const { rows, notes } = await after(project, [], [other])
  expect(rows).toEqual([['bm25', '', undefined]])
  expect(notes).toEqual([note('options.k1 0.9 → 0.5')])
  expect((await after(project, ['methods=[vector]'])).notes).toEqual([note('options.k1 0.9 → 0.5')])
  expect((await after(project, [])).notes).toEqual([note('options.k1 0.5 → 0.9')])
  const both = await after(project, ['methods=[bm25, {use: bm25, k1: 0.5, label: low}]'])
  expect(both.notes).toEqual([])
  await after(project, [], [other])
  expect((await after(project, ['vary={bm25.k1: [0.5, 1]}'])).notes).toEqual([note('options.k1 0.9 → 0.5')])
  expect(both.rows.slice(0, 2)).toEqual([
    ['bm25', '', undefined],
    ['low', '', undefined],
  ])
})

test('results of an earlier version of a plug-in are named', async () => {
  const project = await tinyProject({ methods: [{ use: './mine.ts' }] })
  const write = (score: number): Promise<void> =>
    writeFile(
      join(project, 'mine.ts'),
      `import { z } from 'gembench'
      export const mine = { name: 'mine', summary: '', options: z.strictObject({}), index: async (chunks) => ({
        retrieve: async () => chunks.map(({ id, text }, at) => ({ text, score: ${score} - at, from: [id], kind: 'chunk' })) }) }`,
    )
  await write(1)
  await after(project, [])
  await write(2)
  expect((await after(project, [])).notes).toEqual([
    expect.stringContaining('mine: older results of this label are hidden (another version of its method)'),
  ])
})

test('replaced rows of a series are named once', async () => {
  const project = await tinyProject(config)
  const vary = 'vary={budget.passages: [1, 2]}'
  const settings = tinySettings(project)
  await runAll(await tinyPlans(project, [vary]), settings)
  const { folder } = await runAll(await tinyPlans(project, [vary, other]), settings)
  const { manifest, table } = await writeTables(folder)
  const notes = notesOf(manifest, table).filter((one) => one.includes('are hidden'))
  expect(notes).toEqual(
    [1, 2].map((passages) => note('options.k1 0.9 → 0.5').replace('bm25', `bm25 (budget.passages=${passages})`)),
  )
})
