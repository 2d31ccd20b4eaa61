import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { writeTables } from '../library/write-tables.ts'
import { readConfig } from '../config/index.ts'
import { defineMethod } from '../define.ts'
import { readResults } from '../test-support/read-results.ts'
import { tinyProject, tinySettings } from '../test-support/tiny.ts'
import { registries } from './plug-ins/registries.ts'
import { extractObjects } from './plug-ins/extract-objects.ts'
import { run } from './run.ts'
import { openResults } from './results/series.ts'
import { callsOf } from './transfer-calls.ts'

/** Finds the one chunk that its index has drawn, and logs when it builds and when it is asked. */
const diceWith = (log: string[]) =>
  defineMethod({
    name: 'dice',
    summary: 'draws a chunk.',
    version: 1,
    options: z.strictObject({
      by: z.enum(['random', 'seed', 'nothing']).default('random'),
      uses: z.boolean().default(true),
      fails: z.boolean().default(false),
    }),
    async index(chunks, models, { by, uses, fails }) {
      await models.embed(chunks.map(({ text }) => text))
      const sample = {
        random: () => Math.floor(models.random() * chunks.length),
        seed: () => models.seed(5) % chunks.length,
        nothing: () => 1,
      }[by]()
      log.push(`built on ${sample}`)
      if (fails && sample !== 1) throw new Error(`drew ${sample}`)
      const { id, text } = chunks[uses ? sample : 1]!
      return {
        async retrieve(query) {
          log.push(`asked ${query.id}`)
          return [{ text, from: [id], kind: 'chunk', score: 1 }]
        },
        stats: () => ({ drawn: sample }),
        warnings: () => ({ 'dice that were worn': 2, 'dice that were lost': 0 }),
      }
    },
  })

interface Project {
  readonly folder: string
  readonly log: readonly string[]
  readonly methods: readonly unknown[]
}

type Ran = Awaited<ReturnType<typeof runIn>>

async function runIn(project: Project, set: readonly string[]) {
  const { folder: home, log, methods } = project
  const writeInput = JSON.parse(await readFile(join(home, 'tiny.yaml'), 'utf8')) as object
  const { config, objects } = extractObjects({ ...writeInput, methods })
  const plan = await readConfig(
    { value: config, name: 'tiny.yaml' },
    { cwd: home, set, environment: {} },
    { ...registries, objects },
  )
  const { folder } = await run(plan, tinySettings(home, { objects }))
  await writeTables(folder)
  return { project, folder, log: [...log], ...(await readResults(folder)) }
}

/** Rows of the method under the labels `a`, `b`, …, with these options. */
async function projectWith(...rows: readonly object[]): Promise<Project> {
  const log: string[] = []
  const use = diceWith(log)
  const methods = rows.map((options, row) => ({ use, label: String.fromCharCode(97 + row), ...options }))
  return { folder: await tinyProject(), log, methods }
}
const ran = async (set: readonly string[], ...rows: readonly object[]): Promise<Ran> =>
  runIn(await projectWith(...rows), set)

const comparedFiles = ['trials.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'usage.csv', 'table.tex'] as const
const bytes = ({ folder }: Ran): Promise<readonly string[]> =>
  Promise.all(comparedFiles.map((name) => readFile(join(folder, name), 'utf8')))

const builds = ({ log }: Ran): readonly string[] => log.filter((line) => line.startsWith('built'))
const contexts = ({ trials }: Ran, repeat: number): readonly unknown[] =>
  trials.filter((trial) => trial.repeat === repeat).map(({ context }) => context)

async function variances({ folder }: Ran): Promise<readonly number[]> {
  const table = JSON.parse(await readFile(join(folder, 'table.json'), 'utf8')) as {
    cells: { repeatVariance: number | null }[]
  }
  return table.cells.map(({ repeatVariance }) => repeatVariance ?? NaN)
}

const item = 'repeats={count: 3, index: false}'

describe.each(['random', 'seed'])('an index that takes models.%s()', (by) => {
  test('differs between repeats, and the table shows the between-index variance', async () => {
    const ownRun = await ran(['repeats=3'], { by })
    expect(ownRun.indexes.map(({ repeat }) => repeat)).toEqual([undefined, 1, 2])
    expect(ownRun.indexes[0]?.warnings).toEqual({ 'dice that were worn': 2 })
    expect(new Set(builds(ownRun)).size).toBeGreaterThan(1)
    expect(Math.max(...(await variances(ownRun)))).toBeGreaterThan(0)
    const table = await readFile(join(ownRun.folder, 'table.md'), 'utf8')
    expect(table).toMatch(/Standard deviation of the first score between single repeats: a \d+\.\d\./)
    expect(table).toContain('built for each repeat with added costs: a 3 of 1 corpus.')
    expect(table).toContain('- Dice that were worn: a 6 (in 3 indexes).')
  })

  test('is shared by all repeats where the config says so, without between-index variance', async () => {
    const sharedRun = await ran([item], { by })
    expect(sharedRun.indexes.map(({ repeat }) => repeat)).toEqual([undefined])
    expect(builds(sharedRun)).toHaveLength(1)
    expect(new Set(await variances(sharedRun))).toEqual(new Set([0]))
    for (const repeat of [1, 2]) expect(contexts(sharedRun, repeat)).toEqual(contexts(sharedRun, 0))
    const table = await readFile(join(sharedRun.folder, 'table.md'), 'utf8')
    expect(table).toContain('- All repeats share one index')
    expect(table).toContain('- Dice that were worn: a 2.')
  })
})

test('an index of a later repeat sends only new calls and counts all of them', async () => {
  const [ownRun, sharedRun] = [await ran(['repeats=3'], { uses: false }), await ran([item], { uses: false })]
  const cachedCalls = async ({ folder }: Ran) => (await callsOf(await openResults(folder, ''))).size
  expect(await cachedCalls(ownRun)).toBe(await cachedCalls(sharedRun))
  expect(ownRun.indexes).toHaveLength(3)
  for (const { usage } of ownRun.indexes) expect(usage).toEqual(sharedRun.indexes[0]?.usage)
  expect(ownRun.indexes[0]?.usage.embeddedTokens).toBeGreaterThan(0)
})

test('results are byte-identical at any concurrency', async () => {
  const rows = [{}, { by: 'nothing' }, { by: 'seed' }, { fails: true }, { use: 'random' }]
  const slow = await ran(['repeats=2', 'concurrency=1'], ...rows)
  const fast = await ran(['repeats=2', 'concurrency=16'], ...rows)
  expect(await bytes(fast)).toEqual(await bytes(slow))
})

test('an index that fails in one repeat fails only the trials of that repeat', async () => {
  const { indexes, trials } = await ran(['repeats=4'], { fails: true })
  const failed = indexes.map(({ failure }) => failure !== undefined)
  expect(new Set(failed).size).toBe(2)
  expect(trials.map(({ failure }) => failure !== undefined)).toEqual(failed.flatMap((one) => [one, one, one]))
})

describe('resume', () => {
  test.each([[{}], [{ by: 'nothing' }]])(
    'a run of %j that was interrupted anywhere has the bytes of an uninterrupted run',
    async (row) => {
      const full = await ran(['repeats=3'], row)
      const expected = await bytes(full)
      const lines = expected[0]?.split('\n') ?? []
      // after an index, within a repeat, between two repeats, and at the end
      for (const cachedCalls of [1, 4, 6, lines.length - 2]) {
        const project = await projectWith(row)
        const folder = join(project.folder, 'results', full.folder.split('/').at(-1) ?? '')
        await cp(full.folder, folder, { recursive: true })
        // an index that is built again asks nothing anew
        await cp(join(full.project.folder, 'cache'), join(project.folder, 'cache'), { recursive: true })
        await writeFile(join(folder, 'trials.jsonl'), `${lines.slice(0, cachedCalls).join('\n')}\n{"line":"tr`)
        await writeFile(join(folder, 'scores.jsonl'), '')
        expect(await bytes(await runIn(project, ['repeats=3']))).toEqual(expected)
      }
    },
  )

  test('more repeats add only their indexes', async () => {
    const full = await ran(['repeats=3'], {})
    const project = await projectWith({})
    expect(builds(await runIn(project, []))).toHaveLength(1)
    const more = await runIn(project, ['repeats=3'])
    expect(builds(more)).toHaveLength(3)
    expect(await bytes(more)).toEqual(await bytes(full))
  })
})

test('RAPTOR has the tree of the reference seed first, and another tree in each repeat and with each seed', async () => {
  const tree = async (set: readonly string[]): Promise<Ran> => {
    const folder = await tinyProject({
      dataset: { use: 'sample', limit: 6 },
      chunks: { size: 100 },
      repeats: 3,
      budget: { passages: 5, tokens: 500 },
    })
    return runIn({ folder, log: [], methods: ['raptor'] }, set)
  }
  const [usual, second] = [await tree([]), await tree(['seed=7'])]
  expect(usual.indexes).toHaveLength(3)
  expect(contexts(usual, 1)).not.toEqual(contexts(usual, 0))
  expect(contexts(second, 0)).not.toEqual(contexts(usual, 0))
})
