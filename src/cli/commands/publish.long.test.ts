import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gembench, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { tinyProject } from '../../test-support/tiny.ts'

let project: string
let series: string
/** The name of a single run. */
let run: string
beforeAll(async () => {
  project = await tinyProject({
    scorers: ['qasper-f1', 'faithfulness', 'failure-cause'],
    methods: ['vector', 'oracle'],
    vary: { 'chunks.size': [20, 40] },
  })
  expect((await gembench(project, 'run', '-c', 'tiny.yaml', '--quiet')).code).toBe(0)
  const names = await readdir(join(project, 'results'))
  series = names.find((name) => name.includes('series')) ?? ''
  run = names.find((name) => !name.includes('series')) ?? ''
})

test('publishes a series with its runs, which verify elsewhere', async () => {
  const { code, out } = await gembench(project, 'publish', series, 'published/tiny')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^wrote published\/tiny with \d+ calls/) })
  expect(await gembench(project, 'publish', series, 'published/twice')).toMatchObject({ code: 0 })
  const alone = folderOf({})
  await cp(join(project, 'published', 'tiny'), join(alone, 'tiny'), { recursive: true })
  const verification = await gembench(alone, 'verify', 'tiny')
  expect(verification.code).toBe(0)
  expect(verification.out.split('\n').filter((line) => line.startsWith('same')).length).toBe(2 * 4 + 5)
  for (const file of await readdir(join(alone, 'tiny'), { recursive: true }))
    if (/\.\w+$/.test(file))
      expect(await readFile(join(alone, 'tiny', file)), file).toEqual(
        await readFile(join(project, 'published', 'twice', file)),
      )
})

test('rebuilds tables in place, without a cache', async () => {
  const table = join(project, 'published', 'tiny', 'table.md')
  const before = await readFile(table, 'utf8')
  await writeFile(table, 'other')
  expect((await gembench(project, 'publish', 'published/tiny', 'published/tiny', '--cache-folder', 'empty')).code).toBe(
    0,
  )
  expect(await readFile(table, 'utf8')).toBe(before)
})

describe('keeps other files in the folder and writes nothing beside them', () => {
  async function refusal(what: string, contents: Readonly<Record<string, string>>): Promise<string> {
    const folder = folderOf(contents)
    const { code, out, err } = await gembench(project, 'publish', what, folder)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^error [^\n]*; name another folder\n$/)
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = found.filter((entry) => entry.isFile())
    expect(files).toHaveLength(Object.keys(contents).length)
    for (const [name, text] of Object.entries(contents)) expect(await readFile(join(folder, name), 'utf8')).toBe(text)
    return err.replaceAll(folder, 'own')
  }

  test.each(['manifest.json', 'series.json', 'trials.jsonl', 'table.md', 'calls.jsonl.gz', 'figures/mine.svg'])(
    'refuses to overwrite a file %s of another program',
    async (file) => {
      const message = `error own/${file}: is not of these results and is not overwritten; name another folder\n`
      expect(await refusal(run, { [file]: '{"mine":1}' })).toBe(message)
    },
  )

  test('refuses to overwrite a file at the place of a series or run', async () => {
    for (const file of ['table.md', 'manifest.json', `${run}/scores.jsonl`])
      expect(await refusal(series, { 'notes.txt': 'x', [file]: 'mine' })).toContain(
        `own/${file}: is not of these results`,
      )
  })

  test('refuses a folder of another run, and a series in place of a run', async () => {
    const [item = '', second = ''] = (await readdir(join(project, 'results'))).filter(
      (name) => !name.includes('series'),
    )
    const text = (...path: readonly string[]) => readFile(join(project, 'results', ...path), 'utf8')
    const foreign = 'own/manifest.json: is not of these results'
    expect(await refusal(item, { 'manifest.json': await text(second, 'manifest.json') })).toContain(foreign)
    const ofSeries = { 'series.json': await text(series, 'series.json') }
    expect(await refusal(item, ofSeries)).toContain('own/series.json: is not of these results')
    expect(await refusal(series, { 'manifest.json': await text(item, 'manifest.json') })).toContain(foreign)
  })

  test('publishes the same run again beside other files', async () => {
    const again = async (): Promise<number> => (await gembench(project, 'publish', run, 'again')).code
    expect(await again()).toBe(0)
    await writeFile(join(project, 'again', 'README.md'), 'mine')
    expect(await again()).toBe(0)
    expect(await readFile(join(project, 'again', 'README.md'), 'utf8')).toBe('mine')
  })

  test('refuses a file in place of the folder', async () => {
    const message = 'error tiny.yaml: is not a folder; name a folder to publish into\n'
    await expectRefusal(gembench(project, 'publish', run, 'tiny.yaml'), message)
  })
})

test('leaves no folder for a run whose calls are not cached', async () => {
  const lacking = gembench(project, 'publish', run, 'lacking/calls', '--cache-folder', 'no-cache')
  await expectRefusal(lacking, 'calls are not in the cache')
  expect(await readdir(project)).not.toContain('lacking')
  expect(await readdir(project)).not.toContain('no-cache')
})

test('verifies a run without calls by those of a cache', async () => {
  const { code, out } = await gembench(project, 'publish', run, 'published/bare', '--no-calls')
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^wrote published\/bare without the \d+ /),
  })
  expect((await readdir(join(project, 'published/bare'))).filter((file) => file.startsWith('calls'))).toEqual([])
  const verification = await gembench(project, 'verify', 'published/bare', '--trust')
  expect(verification.out).toMatch(/^none +calls: not in this folder/m)
  expect(verification.out).toMatch(/^same +retrieval: /m)
  const bare = await gembench(project, 'verify', 'published/bare', '--cache-folder', 'no-cache')
  expect(bare.out).toMatch(/^none +retrieval: not replayed: no calls are recorded/m)
})

test('refuses to publish a changed run', async () => {
  await writeFile(join(project, 'results', run, 'scores.jsonl'), '')
  await expectRefusal(gembench(project, 'publish', run, 'changed'), 'scores.jsonl changed since the run')
  expect(await readdir(project)).not.toContain('changed')
})
