import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Help } from 'commander'
import { describe, expect, test } from 'vitest'
import type { Table } from '../report/table/table.ts'
import { fakeServer } from '../test-support/servers/server.ts'
import { tinyProject } from '../test-support/tiny.ts'
import { itemsOf } from './commands/listed.ts'
import { program } from './program.ts'
import { cli, gembenchWith } from '../test-support/cli.ts'

const gembench = gembenchWith({ SOME_KEY: 'sk-very-secret' })

const run = ['run', '-c', 'tiny.yaml'] as const

test.each(['methods', 'scorers', 'models'] as const)(
  '%s: the list that is built beside the program is that of the sources',
  async (what) => {
    const built = await readFile(join(import.meta.dirname, '../../dist', `listed-${what}.json`), 'utf8')
    expect(JSON.parse(built)).toEqual(await itemsOf(what))
  },
)

test('the help, as a snapshot', async () => {
  const main = (await program('0.0.0')).configureHelp({ helpWidth: 100 })
  const commands = main.commands.flatMap((command) => [command, ...command.commands])
  const help = [main, ...commands.filter((one) => one.description() !== '')].map((command) =>
    command.configureHelp({ helpWidth: 100 }).helpInformation(),
  )
  expect(help.join('\n')).toMatchSnapshot()
})

test('the list of commands is the same without their files as with them', async () => {
  const [listed, loaded] = [await program('0.0.0', []), await program('0.0.0')]
  const terms = loaded.commands.map((command) => new Help().subcommandTerm(command))
  expect(listed.commands.filter((one) => one.options.length > 0)).toEqual([])
  for (const term of terms) expect(listed.helpInformation()).toContain(`  ${term}  `)
  expect(listed.helpInformation()).toBe(loaded.helpInformation())
})

describe('run', () => {
  test('prints an aligned table, the cost, the files and the next command; then says that it is complete', async () => {
    const project = await tinyProject()
    const first = await gembench(project, ...run)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain('Asked 18 trials')
    expect(first.out).toMatch(/Files {3}results\/tiny-[0-9a-f]{8}\//)
    expect(first.out).toMatch(/Next {4}gembench table results\/tiny-/)
    const columns = first.out.split('\n').filter((line) => /^ *([a-z] +)?(method|bm25|vector) /.test(line))
    expect(columns.length).toBeGreaterThan(4)
    expect(first.out).not.toMatch(/\u001b/)
    expect((await gembench(project, ...run)).out).toContain(
      'Complete: all trials (18) and their scores are in the results folder already; nothing was asked.',
    )
  })

  test('--json prints only JSON, --quiet nothing', async () => {
    const project = await tinyProject({ methods: ['bm25'] })
    const json = await gembench(project, ...run, '--json', '--limit', '2')
    expect(JSON.parse(json.out)).toMatchObject({ trials: { made: 2, kept: 0, failed: 0 }, cells: expect.any(Array) })
    expect(await gembench(project, ...run, '--quiet')).toEqual({ code: 0, out: '', err: '' })
  })

  test('failed trials: exit code 3, and the table says how many', async () => {
    const server = await fakeServer({ behave: () => ({ status: 400, error: { message: 'odd request' } }) })
    const complete = { use: 'openai', model: 'm', baseUrl: server.url, retries: 0 }
    const project = await tinyProject({ methods: ['bm25'], models: { complete, embed: 'fake' } })
    const ended = await gembench(project, ...run)
    await server.close()
    expect(ended.code).toBe(3)
    expect(ended.out).toContain('Failed trials, not in the means: bm25 3 (400 odd request)')
  })

  test('Ctrl-C: exit code 130, and the same command goes on', async () => {
    const project = await tinyProject({
      models: { complete: { use: 'fake', latencyMs: 100 }, embed: 'fake' },
      concurrency: 1,
      methods: ['bm25'],
      repeats: 9,
    })
    const child = spawn(process.execPath, [cli, ...run, '--results', 'out'], { cwd: project, stdio: 'ignore' })
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    const done = async (): Promise<number> => {
      const [name = ''] = await readdir(join(project, 'out')).catch(() => [])
      return (await readFile(join(project, 'out', name, 'trials.jsonl'), 'utf8').catch(() => '')).split('\n').length
    }
    while ((await done()) < 4 && child.exitCode === null) await sleep(10)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    const again = await gembench(project, ...run, '--results', 'out')
    expect(again).toMatchObject({ code: 0 })
    expect(again.out).toMatch(/Asked \d+ trials? .*; [1-9]\d* trials? (was|were) done before/)
  })
})

describe('mistakes', () => {
  test.each([
    [['run', '-c', 'none.yaml'], 'none.yaml'],
    [['run', '-c', 'tiny.yaml', '--set', 'budgett.tokens=3'], 'did you mean "budget"'],
    [['run', '-c', 'tiny.yaml', '--methods', 'bm52'], 'did you mean "bm25"'],
    [
      ['run', '-c', 'tiny.yaml', '--set', 'compare.baseline=bm52'],
      'compare.baseline: unknown row "bm52"; did you mean',
    ],
    [
      ['run', '-c', 'tiny.yaml', '--set', 'compare.metric=acuracy'],
      'compare.metric: unknown metric "acuracy"; did you',
    ],
    [['run', '-c', 'tiny.yaml', '--set', 'dataset.path=nowhere'], 'nowhere'],
    [['run', '-c', 'tiny.yaml', '--limit', '0'], 'whole number'],
    [['run'], 'there is no config: give a config with -c FILE'],
    [['rnu'], 'Did you mean run'],
    [['table', 'nothing'], 'not a results folder'],
    [['ls', 'methds'], 'Allowed choices'],
    [['check', 'a', '--use', 'b', '--path', 'c'], '--use cannot be combined with --path'],
    [['data', 'get', 'qualty'], 'did you mean "quality"'],
    [['check', 'tiny.yaml', '--use', 'quality'], 'tiny.yaml:1'],
    [['check', 'tiny.yaml', '--use', 'quality', '--set', 'kinds=[a'], '--set kinds=[a: '],
  ])('%j is said in a line, exit code 2, and nothing was created', async (args, said) => {
    const project = await tinyProject()
    const ended = await gembench(project, ...args)
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(said)
    expect(ended.err).not.toContain('    at ')
    expect(existsSync(join(project, 'results'))).toBe(false)
  })

  test('a missing key is said before anything is asked', async () => {
    const project = await tinyProject({ models: { complete: { use: 'openai', model: 'm' }, embed: 'fake' } })
    const ended = await gembench(project, ...run)
    expect(ended.code).toBe(2)
    expect(ended.err).toMatch(/apiKey/)
    expect(existsSync(join(project, 'results'))).toBe(false)
  })
})

test('a key reaches neither disk nor screen', async () => {
  const server = await fakeServer({ behave: () => ({ status: 400, error: { message: 'odd key sk-very-secret' } }) })
  const complete = { use: 'openai', model: 'm', apiKey: '${SOME_KEY}', baseUrl: server.url, retries: 0 }
  const project = await tinyProject({ methods: ['bm25'], models: { complete, embed: 'fake' } })
  const ended = await gembench(project, ...run, '--json')
  await server.close()
  const { folder } = JSON.parse(ended.out) as { folder: string }
  const files = ['manifest.json', 'trials.jsonl', 'table.json'].map((name) =>
    readFile(join(project, folder, name), 'utf8'),
  )
  for (const text of [ended.out, ended.err, ...(await Promise.all(files))]) expect(text).not.toContain('sk-very-secret')
  expect(await files[0]).toContain('${SOME_KEY}')
})

test('runs of one dataset with other questions share no table: exit code 2', async () => {
  const project = await tinyProject({ methods: ['bm25'] })
  const folderOf = async (...more: string[]): Promise<string> =>
    (JSON.parse((await gembench(project, ...run, '--json', ...more)).out) as { folder: string }).folder
  const all = await folderOf()
  const choices = await folderOf('--set', 'dataset.options.kinds=choice')
  const { code, out, err } = await gembench(project, 'table', all, choices, '--format', 'csv')
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(
    `${all} and ${choices} cannot share a table: they read sample with different options or files: kinds "all" and "choice"`,
  )
  const seeded = await gembench(project, 'table', all, await folderOf('--set', 'seed=7'))
  expect(seeded.code).toBe(0)
  expect(seeded.err).toContain('note: the runs differ in their seed')
})

test('table compares stored rows otherwise than the config says; the scores stay', async () => {
  const project = await tinyProject({ compare: { baseline: 'bm25' } })
  const { folder } = JSON.parse((await gembench(project, ...run, '--json')).out) as { folder: string }
  const tableOf = async (...flags: string[]) => {
    const ended = await gembench(project, 'table', folder, '--format', 'json', ...flags)
    expect(ended).toMatchObject({ code: 0, err: '' })
    return JSON.parse(ended.out) as Table
  }
  const [asWritten, other] = [
    await tableOf(),
    await tableOf('--baseline', 'vector', '--metric', 'F1', '--margin', '.03'),
  ]
  expect(asWritten.comparison).toMatchObject({
    baseline: 'b',
    metric: 'accuracy',
    margin: null,
  })
  expect(other.comparison).toMatchObject({ baseline: 'c', metric: 'f1', margin: 0.03 })
  // what compares rows with reference rows is of the metric that is compared
  const scored = ({ cells }: Table) =>
    cells.filter(
      ({ metric, subset }) => !['headroom', 'contamination'].includes(metric) && subset !== 'closed-book wrong',
    )
  expect(scored(other)).toEqual(scored(asWritten))
  expect((await tableOf('--no-baseline')).comparison).toMatchObject({ baseline: null, pairs: { length: 3 } })
  for (const [flags, said] of [
    [['--baseline', 'vectr'], '--baseline: unknown row "vectr"; did you mean "vector"?'],
    [['--metric', 'acuracy'], '--metric: unknown metric "acuracy"; did you mean "accuracy"?'],
    [['--margin', '3'], 'must be a number above 0 and below 1'],
  ] as const) {
    const ended = await gembench(project, 'table', folder, ...flags)
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(said)
  }
})

test('validate, query, score, table, ls, data and cache do what they say', async () => {
  const project = await tinyProject()
  expect((await gembench(project, 'validate', '-c', 'tiny.yaml')).out).toMatch(
    /^valid: tiny-[0-9a-f]{8}: 6 methods x 3 questions = 18 trials/,
  )
  expect(existsSync(join(project, 'results'))).toBe(false)
  const asked = await gembench(project, 'query', '-c', 'tiny.yaml', '--method', 'bm25', 'Who built the mill?')
  expect(asked.out).toContain('Tamsin Vale')
  const reply = await gembench(
    project,
    'query',
    '-c',
    'tiny.yaml',
    '--method',
    'vector',
    '--json',
    'Who built the mill?',
  )
  expect(JSON.parse(reply.out)).toMatchObject({
    corpus: 'sample',
    passages: expect.any(Array),
    answer: { text: expect.any(String) },
  })

  const { folder } = JSON.parse((await gembench(project, ...run, '--json')).out) as { folder: string }
  const name = folder.split('/').at(-1) ?? ''
  const before = await readFile(join(project, folder, 'scores.jsonl'), 'utf8')
  expect((await gembench(project, 'score', name)).out).toContain('Made ')
  expect(await readFile(join(project, folder, 'scores.jsonl'), 'utf8')).toBe(before)
  for (const [format, beginning] of [
    ['md', '# tiny'],
    ['csv', 'dataset,method'],
    ['usage-csv', 'dataset,method,variant,phase'],
    ['latex', '% sample'],
    ['json', '{'],
  ] as const) {
    expect((await gembench(project, 'table', name, '--format', format)).out.startsWith(beginning)).toBe(true)
  }
  for (const what of ['methods', 'datasets', 'scorers', 'models']) {
    expect(JSON.parse((await gembench(project, 'ls', what, '--json')).out)).not.toHaveLength(0)
  }
  expect((await gembench(project, 'ls', 'datasets')).out).toContain('quality')
  expect(JSON.parse((await gembench(project, 'check', 'data', '--use', 'sample', '--json')).out)).toEqual({
    files: ['documents/the-bakery.md', 'documents/the-mill.md', 'questions.jsonl'].map((name) => ({
      path: `data/${name}`,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    corpora: 1,
    documents: 2,
    questions: 3,
    tags: { hard: 1 },
  })
})
