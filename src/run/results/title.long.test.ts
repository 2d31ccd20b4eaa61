import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { conditionsOf } from '../../report/render/conditions.ts'
import { copyOf } from '../../test-support/dataset-copies/dataset-copies.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

/** What stands before the counts in the title of a run over a dataset. */
async function titleOf(dataset: Readonly<Record<string, unknown>>): Promise<string> {
  const project = await tinyProject({ dataset, methods: ['closed-book'] })
  const { manifest } = await run(await tinyPlan(project), tinySettings(project, { cache: false }))
  return conditionsOf(manifest).split(': ')[0] ?? ''
}

const official = [
  ['qasper', 'qasper-dev-v0.3.json', { split: 'dev' }],
  ['quality', 'QuALITY.v1.0.1.htmlstripped.dev', {}],
  ['ragbench', 'test-00000-of-00001.parquet', { split: 'test' }],
  ['musique', 'musique_ans_v1.0_dev.jsonl', {}],
] as const

test.each(official)('%s: the title names the split of a folder, or the name of a file', async (use, name, options) => {
  const file = copyOf(use)
  const folder = await mkdtemp(join(tmpdir(), 'gembench-title-'))
  await copyFile(file, join(folder, name))
  const split = Object.values(options)[0] ?? 'dev'
  expect(await titleOf({ use, path: folder, options })).toMatch(new RegExp(`^${use} \\(split ${split}\\b`))
  for (const path of [file, join(folder, name)]) {
    const title = await titleOf({ use, path, options })
    expect(title).toMatch(new RegExp(`^${use} \\(file `))
    expect(title).toMatch(new RegExp(` [(]file ${basename(path)}[,)]`))
    expect(title).not.toContain('split')
  }
})
