import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Help } from 'commander'
import { describe, expect, test } from 'vitest'
import type { Table } from '../report/table/table.ts'
import { tinyProject } from '../test-support/tiny.ts'
import { itemsOf } from './commands/registry-items.ts'
import { program } from './program.ts'
import { gembench, expectRefusal, resultsOf } from '../test-support/cli.ts'

const run = ['run', '-c', 'tiny.yaml'] as const

test.each(['methods', 'scorers', 'models'] as const)(
  'the build writes the list of %s that the sources define',
  async (what) => {
    const listing = await readFile(join(import.meta.dirname, '../../dist', `listed-${what}.json`), 'utf8')
    expect(JSON.parse(listing)).toEqual(await itemsOf(what))
  },
)

test('the help of every command is unchanged', async () => {
  const main = (await program('0.0.0')).configureHelp({ helpWidth: 100 })
  const commands = main.commands.flatMap((command) => [command, ...command.commands])
  const help = [main, ...commands.filter((item) => item.description() !== '')].map((command) =>
    command.configureHelp({ helpWidth: 100 }).helpInformation(),
  )
  expect(help.join('\n')).toMatchSnapshot()
})

test('lists the same commands with and without loading their files', async () => {
  const [bare, complete] = [await program('0.0.0', []), await program('0.0.0')]
  const terms = complete.commands.map((command) => new Help().subcommandTerm(command))
  expect(bare.commands.filter((item) => item.options.length > 0)).toEqual([])
  for (const term of terms) expect(bare.helpInformation()).toContain(`  ${term}  `)
  expect(bare.helpInformation()).toBe(complete.helpInformation())
})

describe('gembench run', () => {
  test('prints table, cost, files and the next command, and then that the run is complete', async () => {
    const project = await tinyProject()
    const first = await gembench(project, ...run)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(/^Next: npx gembench report results\/tiny-[0-9a-f]{8}$/m)
    expect(first.out.split('\n').length).toBeLessThanOrEqual(30)
    const columns = first.out.split('\n').filter((line) => /^ *([a-z] +)?(method|bm25|vector) /.test(line))
    expect(columns).toHaveLength(3)
    expect(first.out).not.toMatch(/\u001b/)
    expect((await gembench(project, ...run)).out).toMatch(
      /^Nothing to do: all 18 trials are complete; --again repeats them\.\n/,
    )
  })

  test('--json prints only JSON, --quiet nothing', async () => {
    const project = await tinyProject({ methods: ['bm25'] })
    const json = await gembench(project, ...run, '--json', '--limit', '2')
    expect(JSON.parse(json.out)).toMatchObject({ trials: { made: 2, kept: 0, failed: 0 }, cells: expect.any(Array) })
    expect(await gembench(project, ...run, '--quiet')).toEqual({ code: 0, out: '', err: '' })
  })
})

describe('a mistake in the command line or config', () => {
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
    [['rnu'], 'Did you mean run'],
    [['table', 'nothing'], 'not a results folder'],
    [['ls', 'methds'], 'Allowed choices'],
    [['check', 'a', '--use', 'b', '--path', 'c'], "option '--path <path>' cannot be used with option '--use <name>'"],
    [['data', 'get', 'qualty'], 'did you mean "quality"'],
    [['check', 'tiny.yaml', '--use', 'quality'], 'tiny.yaml:1'],
    [['check', 'tiny.yaml', '--use', 'quality', '--set', 'kinds=[a'], '--set kinds=[a: '],
  ])('%j prints one line, ends with exit code 2 and creates nothing', async (args, message) => {
    const project = await tinyProject()
    await expectRefusal(gembench(project, ...args), message)
    expect(existsSync(join(project, 'results'))).toBe(false)
  })

  test('reports a missing key before any call', async () => {
    const project = await tinyProject({ models: { complete: { use: 'openai', model: 'm' }, embed: 'fake' } })
    await expectRefusal(gembench(project, ...run), 'apiKey')
    expect(existsSync(join(project, 'results'))).toBe(false)
  })
})

test('refuses a table of runs with different questions of one dataset', async () => {
  const project = await tinyProject({ methods: ['bm25'] })
  const all = await resultsOf(project)
  const choices = await resultsOf(project, '--set', 'dataset.options.kinds=choice')
  await expectRefusal(
    gembench(project, 'table', all, choices, '--format', 'csv'),
    `${all} and ${choices} cannot share a table: they read sample with different options or files: options.kinds all → choice`,
  )
  const seedResult = await gembench(project, 'table', all, await resultsOf(project, '--set', 'seed=7'))
  expect(seedResult.code).toBe(0)
  expect(seedResult.err).toContain('note: the runs differ in their seed')
})

test('table applies other comparisons to stored rows', async () => {
  const project = await tinyProject({ compare: { baseline: 'bm25' } })
  const folder = await resultsOf(project)
  const tableOf = async (...flags: string[]) => {
    const result = await gembench(project, 'table', folder, '--format', 'json', ...flags)
    expect(result).toMatchObject({ code: 0, err: '' })
    return JSON.parse(result.out) as Table
  }
  expect((await tableOf()).comparison).toMatchObject({ baseline: 'b', metric: 'accuracy', margin: null })
  const { comparison } = await tableOf('--baseline', 'vector', '--metric', 'F1', '--margin', '.03')
  expect(comparison).toMatchObject({ baseline: 'c', metric: 'f1', margin: 0.03 })
  expect((await tableOf('--no-baseline')).comparison).toMatchObject({ baseline: null, pairs: { length: 3 } })
  for (const [flags, message] of [
    [['--baseline', 'vectr'], 'baseline: unknown row "vectr"; did you mean "vector"?'],
    [['--metric', 'acuracy'], 'metric: unknown metric "acuracy"; did you mean "accuracy"?'],
    [['--margin', '3'], 'must be a number above 0 and below 1'],
  ] as const) {
    await expectRefusal(gembench(project, 'table', folder, ...flags), message)
  }
})

test('ls and check print JSON', async () => {
  const project = await tinyProject()
  for (const what of ['methods', 'datasets', 'scorers', 'models']) {
    expect(JSON.parse((await gembench(project, 'ls', what, '--json')).out)).not.toHaveLength(0)
  }
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

test('ls prints one item with its source and options, and suggests the nearest name', async () => {
  const project = await tinyProject()
  const { out } = await gembench(project, 'ls', 'methods', 'bm25')
  expect(out).toMatch(/^bm25 {2}Ranks chunks by BM25[^\n]*\n {2}analyser /)
  expect(out).not.toContain('closed-book')
  expect((await gembench(project, 'ls', 'methods', 'gem-rag')).out).toMatch(/\n {2}source: Rappazzo/)
  await expectRefusal(gembench(project, 'ls', 'methods', 'bm52'), 'unknown method "bm52"; did you mean "bm25"?')
})
