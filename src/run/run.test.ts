import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeTables } from '../library/write-tables.ts'
import type { Table } from '../report/table/table.ts'
import { readResults } from '../test-support/read-results.ts'
import { tinyPlan, tinyProject, tinySettings, writeConfig } from '../test-support/tiny.ts'
import { callsOf, exportCalls, importCalls } from './transfer-calls.ts'
import { rescore } from './scoring/rescore.ts'
import { openResults } from './results/series.ts'
import { run, type Outcome } from './run.ts'

const comparedFiles = ['trials.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex'] as const

const bytes = async (folder: string, names: readonly string[] = comparedFiles): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )

const tableIn = async (folder: string): Promise<Table> =>
  JSON.parse(await readFile(join(folder, 'table.json'), 'utf8')) as Table

const runTiny = async (project: string, set: readonly string[] = [], settings = {}): Promise<Outcome> => {
  const outcome = await run(await tinyPlan(project, set), tinySettings(project, settings))
  await writeTables(outcome.folder)
  return outcome
}

test('the golden run has the committed bytes', async () => {
  const { folder, trials, scores } = await runTiny(await tinyProject())
  expect(trials).toEqual({ made: 18, kept: 0, failed: 0 })
  expect(scores.failed).toBe(0)
  for (const [name, text] of Object.entries(await bytes(folder))) {
    await expect(text).toMatchFileSnapshot(`../test-support/golden/${name}`)
  }
})

test('another comparison sends no call, and the results keep it', async () => {
  const project = await tinyProject()
  const first = await runTiny(project)
  const before = await bytes(first.folder)
  const again = await runTiny(project, ['compare.baseline=bm25', 'compare.metric=MRR'])
  expect(again).toMatchObject({ folder: first.folder, trials: { made: 0, kept: 18 }, scores: { made: 0 } })
  expect((await openResults(again.folder, '')).manifest.compare).toEqual({
    baseline: { method: 'bm25', variant: '' },
    metric: { scorer: 'retrieval', metric: 'mrr' },
  })
  const table = await readFile(join(again.folder, 'table.md'), 'utf8')
  expect(table).toContain('mrr: difference from bm25')
  await rescore(await openResults(again.folder, ''), tinySettings(project))
  expect((await openResults(again.folder, '')).manifest.compare?.metric?.metric).toBe('mrr')
  const back = await runTiny(project)
  expect((await openResults(back.folder, '')).manifest).not.toHaveProperty('compare')
  expect(await bytes(back.folder)).toEqual(before)
})

describe('the same bytes', () => {
  test('at any concurrency', async () => {
    const item = await runTiny(await tinyProject(), ['concurrency=1'])
    const many = await runTiny(await tinyProject(), ['concurrency=16'])
    expect(await bytes(many.folder)).toEqual(await bytes(item.folder))
  })

  test('without a cache, and from recorded responses', async () => {
    const project = await tinyProject()
    const first = await runTiny(project)
    const callsFile = join(project, 'calls.jsonl')
    const keys = await callsOf(await openResults(first.folder, ''))
    await exportCalls(join(project, 'cache'), callsFile, keys)
    const replay = await tinyProject()
    await importCalls(join(replay, 'cache'), callsFile)
    const second = await runTiny(replay)
    expect(await bytes(second.folder)).toEqual(await bytes(first.folder))
    const { usage } = await tableIn(second.folder)
    expect(usage.every(({ calls, cached }) => calls === cached)).toBe(true)
    const runWithoutCache = await runTiny(await tinyProject(), [], { cache: false })
    expect(await bytes(runWithoutCache.folder)).toEqual(await bytes(first.folder))
  })
})

test('two labels of a method with the same options share their calls, and each has a row', async () => {
  const project = await tinyProject({ methods: ['bm25', { use: 'bm25', label: 'again', k1: 0.9 }] })
  const { folder, trials } = await runTiny(project)
  expect(trials.made).toBe(3)
  const { rows, cells, usage } = await tableIn(folder)
  const of = (list: readonly { readonly method: string }[], name: string) =>
    list.filter(({ method }) => method === name).map(({ method: _, ...rest }) => rest)
  expect(of(rows, 'bm25')).toMatchObject([{ trials: 3 }])
  for (const list of [rows, cells, usage]) expect(of(list, 'again')).toEqual(of(list, 'bm25'))
})

describe('resume', () => {
  test('a new method, repeat or limit adds only its trials, in the same folder', async () => {
    const project = await tinyProject({ methods: ['bm25'] })
    const first = await runTiny(project, ['dataset.limit=2'])
    expect(first.trials.made).toBe(2)
    await writeConfig(project, { methods: ['random', 'bm25'] })
    const second = await runTiny(project, ['dataset.limit=2'])
    expect(second).toMatchObject({ folder: first.folder, trials: { made: 2, kept: 2 } })
    expect((await runTiny(project)).trials).toMatchObject({ made: 2, kept: 4 })
    expect((await runTiny(project, ['repeats=2'])).trials).toMatchObject({ made: 6, kept: 6 })
    const { manifest } = await openResults(first.folder, '')
    expect(manifest.methods.map(({ method }) => method)).toEqual(['random', 'bm25'])
  })

  test('another budget has another results folder', async () => {
    const project = await tinyProject({ methods: ['bm25'] })
    expect((await runTiny(project)).folder).not.toBe((await runTiny(project, ['budget.tokens=61'])).folder)
  })
})

describe('failures', () => {
  const shakyFile = `import { existsSync } from 'node:fs'
    import { defineMethod, z } from 'gembench'
    export const shaky = defineMethod({
      name: 'shaky', summary: 'fails on demand', options: z.strictObject({ at: z.enum(['index', 'retrieve', 'score', 'storm']) }),
      async index(chunks, models, { at }) {
        if (at === 'index') throw new Error('no index today')
        return { async retrieve() {
          if (at === 'storm' && existsSync(new URL('storm', import.meta.url))) throw new Error('a storm')
          if (at === 'retrieve') throw new Error('lost in the stacks')
          return [{ text: chunks[0].text, from: [chunks[0].id], kind: 'chunk', score: at === 'score' ? NaN : 1 }]
        } }
      },
    })`

  test.each([
    ['index', 'index', 'no index today (shaky.ts:6:35)'],
    ['retrieve', 'retrieve', 'lost in the stacks (shaky.ts:9:40)'],
    ['score', 'retrieve', 'shaky returned a passage (number 1) of which "score" must not be NaN'],
  ])('a method that fails at %s is counted, and others go on', async (at, phase, message) => {
    const project = await tinyProject({ methods: ['bm25', { use: './shaky.ts', at }] })
    await writeFile(join(project, 'shaky.ts'), shakyFile)
    const outcome = await runTiny(project)
    expect(outcome.trials).toMatchObject({ made: 6, failed: 3 })
    const failed = (await readResults(outcome.folder)).trials.filter(({ failure }) => failure)
    expect(failed).toHaveLength(3)
    expect(failed[0]?.failure).toMatchObject({ phase, message })
    expect((await bytes(outcome.folder))['table.md']).toContain(
      `Failed trials, not in the means: shaky 3 (${message}).`,
    )
  })

  test('only failed trials run again, and their success counts', async () => {
    const project = await tinyProject({ methods: ['bm25', { use: './shaky.ts', at: 'storm' }] })
    await writeFile(join(project, 'shaky.ts'), shakyFile)
    await writeFile(join(project, 'storm'), '')
    expect((await runTiny(project)).trials).toEqual({ made: 6, kept: 0, failed: 3 })
    expect((await runTiny(project)).trials).toEqual({ made: 3, kept: 3, failed: 3 })
    await rm(join(project, 'storm'))
    const rerun = await runTiny(project)
    expect(rerun.trials).toEqual({ made: 3, kept: 3, failed: 0 })
    expect((await bytes(rerun.folder))['table.md']).not.toContain('Failed trials')
  })

  test('a reply without a readable option counts as unreadable and wrong, not as failed', async () => {
    const project = await tinyProject({ models: { complete: 'fake', embed: 'fake' }, methods: ['bm25'] })
    const { folder } = await runTiny(project)
    const { rows, cells } = await tableIn(folder)
    expect(rows).toMatchObject([{ trials: 3, failed: 0, unreadable: 1 }])
    expect(cells.find(({ metric }) => metric === 'accuracy')?.mean).toBe(0)
  })
})

test('a method never sees the reference, and sees the evidence only if it declares so', async () => {
  const project = await tinyProject({ methods: [{ use: './nosy.ts' }] })
  await writeFile(
    join(project, 'nosy.ts'),
    `import { defineMethod, z } from 'gembench'
     export const nosy = defineMethod({ name: 'nosy', summary: '', options: z.strictObject({}), async index(chunks) {
       return { async retrieve(query) { return [{ text: Object.keys(query).sort().join(' '), from: [chunks[0].id], kind: 'facts', score: 1 }] } } } })`,
  )
  const { folder } = await runTiny(project)
  const visits = (await readResults(folder)).trials.map(({ context }) => context[0]?.text)
  expect(visits).toEqual(['id text', 'id options text', 'id text'])
})
