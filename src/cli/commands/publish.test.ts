import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { gembench } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

let project: string
let series: string
beforeAll(async () => {
  project = await tinyProject({
    ...{ scorers: ['qasper-f1', 'faithfulness', 'failure-cause'], methods: ['vector', 'oracle'] },
    vary: { 'chunks.size': [20, 40] },
  })
  expect((await gembench(project, 'run', '-c', 'tiny.yaml', '--quiet')).code).toBe(0)
  series = (await readdir(join(project, 'results'))).find((name) => name.includes('series')) ?? ''
})

test('a series is published with its runs within, and verified where nothing else is', async () => {
  const { code, out } = await gembench(project, 'publish', series, 'published/tiny')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^wrote published\/tiny with \d+ calls/) })
  expect(await gembench(project, 'publish', series, 'published/twice')).toMatchObject({ code: 0 })
  const alone = await mkdtemp(join(tmpdir(), 'gembench-published-'))
  await cp(join(project, 'published', 'tiny'), join(alone, 'tiny'), { recursive: true })
  const verified = await gembench(alone, 'verify', 'tiny')
  expect(verified.code).toBe(0)
  expect(verified.out.split('\n').filter((line) => line.startsWith('same')).length).toBe(2 * 3 + 5)
  for (const file of await readdir(join(alone, 'tiny'), { recursive: true }))
    if (/\.\w+$/.test(file))
      expect(await readFile(join(alone, 'tiny', file)), file).toEqual(
        await readFile(join(project, 'published', 'twice', file)),
      )
  await rm(alone, { recursive: true })
})

test('tables are made again in place, without a cache', async () => {
  const table = join(project, 'published', 'tiny', 'table.md')
  const before = await readFile(table, 'utf8')
  await writeFile(table, 'other')
  expect((await gembench(project, 'publish', 'published/tiny', 'published/tiny', '--cache-folder', 'empty')).code).toBe(
    0,
  )
  expect(await readFile(table, 'utf8')).toBe(before)
})

test('a run that was changed is not published', async () => {
  const run = (await readdir(join(project, 'results'))).find((name) => !name.includes('series')) ?? ''
  await writeFile(join(project, 'results', run, 'scores.jsonl'), '')
  const { code, err } = await gembench(project, 'publish', run, 'changed')
  expect(code).toBe(2)
  expect(err).toContain('scores.jsonl not as the run left it')
  expect(await readdir(project)).not.toContain('changed')
})
