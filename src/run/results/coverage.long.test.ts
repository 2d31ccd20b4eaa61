import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTables } from '../../library/write-tables.ts'
import type { Manifest } from '../../records.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

/** The manifest and the table as Markdown after one run after the other in one folder. */
async function after(...runs: readonly (readonly string[])[]): Promise<{ manifest: Manifest; table: string }> {
  const project = await tinyProject({ methods: ['bm25', 'random'], repeats: 2 })
  let folder = ''
  for (const set of runs) ({ folder } = await run(await tinyPlan(project, set), tinySettings(project)))
  await writeTables(folder)
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  return { manifest, table: await readFile(join(folder, 'table.md'), 'utf8') }
}

const fewer = ['dataset.limit=1', 'repeats=1']

test('a smaller limit or fewer repeats remove no lines, and the header counts lines and questions of the config', async () => {
  const { manifest, table } = await after([], fewer)
  const { dataset, repeats, asks } = manifest
  expect([dataset.questions, dataset.documents, dataset.corpora, repeats]).toEqual([3, 2, 1, 2])
  expect(asks).toEqual({ questions: 1, repeats: 1 })
  expect(table).toContain('3 questions (this config asks 1, 1 time each) on 2 documents in 1 corpus')
  expect(table).not.toContain('Unfinished')
})

test('a row that the config no longer has is marked until the config has it again', async () => {
  const { manifest, table } = await after([], ['methods=[vector]'])
  expect(manifest.methods.map(({ method, inConfig }) => [method, inConfig])).toEqual([
    ['vector', undefined],
    ['bm25', false],
    ['random', false],
  ])
  expect(table).toContain('| bm25 § ')
  expect(table).toContain('§ No longer in the config: results of an earlier run.')
  const again = await after([], ['methods=[vector]'], ['methods=[bm25, vector, random]'])
  expect(again.table).not.toContain('§')
})
