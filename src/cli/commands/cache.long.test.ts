import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { gembench, gembenchWith } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

let project: string
let folder: string
const emptyCache = () => gembenchWith({ GEMBENCH_CACHE: join(project, 'empty') })
const run = (...flags: string[]) => ['run', '-c', 'tiny.yaml', '--quiet', ...flags]

beforeAll(async () => {
  project = await tinyProject({ scorers: ['qasper-f1', 'faithfulness'], methods: ['bm25', 'vector', 'raptor'] })
  expect((await gembench(project, ...run())).code).toBe(0)
  folder = join('results', (await readdir(join(project, 'results')))[0] ?? '')
  const other = ['--results', 'other', '--set', 'chunks.size=20', '--set', 'seed=7']
  expect((await gembench(project, ...run(...other))).code).toBe(0)
})

const countIn = ({ out }: { readonly out: string }): number => Number(/wrote (\d+) calls/.exec(out)?.[1])

test('the calls of one run alone: with them it runs again without a call, and its lines are the same', async () => {
  const whole = await gembench(project, 'cache', 'export', 'all.jsonl')
  const own = await gembench(project, 'cache', 'export', 'own.jsonl.gz', '--run', folder)
  expect(own.code).toBe(0)
  expect(countIn(own)).toBeGreaterThan(0)
  expect(countIn(own)).toBeLessThan(countIn(whole))
  expect((await emptyCache()(project, 'cache', 'import', 'own.jsonl.gz')).out).toBe(
    `added ${countIn(own)} calls; skipped 0 that the cache has already and 0 that the cache has with another reply\n`,
  )
  const again = await emptyCache()(project, 'run', '-c', 'tiny.yaml', '--results', 'again')
  expect(again.out).toMatch(/Calls of all trials in the folder: (\d+) \(\1 from the cache\)/)
  for (const file of ['trials.jsonl', 'scores.jsonl'])
    expect(await readFile(join(project, folder.replace('results', 'again'), file), 'utf8')).toBe(
      await readFile(join(project, folder, file), 'utf8'),
    )
  // a run that found everything in the cache names the same calls
  const twice = await emptyCache()(
    project,
    'cache',
    'export',
    'twice.jsonl.gz',
    '--run',
    folder.replace('results', 'again'),
  )
  expect(countIn(twice)).toBe(countIn(own))
  expect(await readFile(join(project, 'twice.jsonl.gz'))).toEqual(await readFile(join(project, 'own.jsonl.gz')))
})

test('what cannot be exported or read is one line, exit 2', async () => {
  const lacking = await gembenchWith({ GEMBENCH_CACHE: join(project, 'other-cache') })(
    ...([project, 'cache', 'export', 'lacking.jsonl', '--run', folder] as const),
  )
  expect(lacking.code).toBe(2)
  expect(lacking.err).toMatch(
    /(\d+) of the \1 calls are not in the cache: name the cache of the run with --cache-folder/,
  )
  expect(await readdir(project)).not.toContain('lacking.jsonl')

  await writeFile(join(project, 'bad.jsonl.gz'), 'not gzip')
  const bad = await gembench(project, 'cache', 'import', 'bad.jsonl.gz')
  expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('bad.jsonl.gz: is no whole gzip file') })
})

test('an export overwrites an export, and no other file', async () => {
  for (const file of ['twice.jsonl', 'twice.jsonl.gz'])
    for (const _time of [1, 2]) expect((await gembench(project, 'cache', 'export', file)).code).toBe(0)
  await writeFile(join(project, 'questions.csv'), 'id,question\n')
  expect(await gembench(project, 'cache', 'export', 'questions.csv')).toEqual({
    ...{ code: 2, out: '' },
    err: 'error questions.csv: was not made by this command and is not overwritten; name another file\n',
  })
  expect(await readFile(join(project, 'questions.csv'), 'utf8')).toBe('id,question\n')
})

test('a folder that an earlier version began says nothing of its calls, also after more rows', async () => {
  const earlier = folder.replace('results', 'earlier')
  expect((await gembench(project, ...run('--results', 'earlier', '--methods', 'bm25'))).code).toBe(0)
  await rm(join(project, earlier, 'used-calls.jsonl'))
  expect((await gembench(project, ...run('--results', 'earlier'))).code).toBe(0)
  const { code, err } = await gembench(project, 'cache', 'export', 'x.jsonl', '--run', earlier)
  expect(code).toBe(2)
  expect(err).toContain(`${earlier}: does not say which calls the run has used`)
})
