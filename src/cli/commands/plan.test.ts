import { readdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Table, UsageCell } from '../../report/table/table.ts'
import { fakeServer } from '../../test-support/servers/server.ts'
import { costsOfPlans } from '../../api/plan.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { gembench } from '../../test-support/cli.ts'

const plan = ['plan', '-c', 'tiny.yaml'] as const

/** A model at an address where nothing answers. */
const price = { prompt: 1000, completion: 2000, embedding: 0 }
const nowhere = { use: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1', retries: 0, price }

test('a plan prints one table by row and phase with sums, makes no call and leaves nothing behind', async () => {
  const project = await tinyProject({ models: { complete: nowhere, embed: 'fake' }, methods: ['bm25', 'vector'] })
  const { code, out, err } = await gembench(project, ...plan)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^tiny-[0-9a-f]{8}: 6 trials\n/)
  expect(out).toMatch(/^vector +index +1 +0 +0 +0 +\d+ +0\.0000 +not known$/m)
  expect(out).toMatch(/^bm25 +answer +3 .* not known$/m)
  expect(out).toMatch(/^all rows together +all +10 /m)
  expect(out).toContain('Time is not known until calls were timed')
  expect(['results', 'cache'].map((name) => existsSync(join(project, name)))).toEqual([false, false])
})

test('--json prints one document: money where prices are set, null where nothing is known', async () => {
  const project = await tinyProject({ models: { complete: nowhere, embed: 'fake' }, methods: ['bm25', 'vector'] })
  const { rows, together, trials } = JSON.parse((await gembench(project, ...plan, '--json')).out) as {
    trials: number
    rows: Record<string, { expected: number } | string | undefined>[]
    together: Record<string, { expected: number } | string | undefined>[]
  }
  expect(trials).toBe(6)
  expect(rows).toHaveLength(8)
  const answer = rows.find(({ method, phase }) => method === 'bm25' && phase === 'answer')
  const [prompt, completion, usd] = [answer?.promptTokens, answer?.completionTokens, answer?.usd].map((one) =>
    typeof one === 'object' ? one.expected : NaN,
  )
  expect(usd).toBeCloseTo(((prompt ?? 0) * 1000 + (completion ?? 0) * 2000) / 1e6, 1)
  const all = together.find(({ phase }) => phase === 'all')?.usd
  expect(typeof all === 'object' && all.expected).toBeCloseTo(2 * (usd ?? 0), 1)
  expect(together.map(({ phase }) => phase)).toEqual(['index', 'retrieve', 'answer', 'judge', 'all'])
})

test('says the share of the judge, with the calls that try it on known claims', async () => {
  const project = await tinyProject({ methods: ['bm25'], judgeRuns: 1, scorers: ['context-precision'] })
  const planned = JSON.parse((await gembench(project, ...plan, '--json')).out) as Readonly<
    Record<'rows' | 'together', { phase: string; calls: { expected: number } }[]>
  >
  const [row = NaN, together = NaN] = [planned.rows, planned.together].map(
    (lines) => lines.find(({ phase }) => phase === 'judge')?.calls.expected,
  )
  // two questions have an answer: two claims that are true, two that are false
  expect(together - row).toBe(4)
  expect((await gembench(project, ...plan)).out).toMatch(
    /The judge: \d+ % of the calls and \d+ % of the tokens of language models, with up to 20 calls/,
  )
})

test('a run of the same setting tells the time, also one with fewer questions', async () => {
  const project = await tinyProject({
    models: { complete: { use: 'fake', latencyMs: 50 }, embed: 'fake' },
    methods: ['bm25'],
  })
  await gembench(project, 'run', '-c', 'tiny.yaml', '--limit', '1')
  const { together } = JSON.parse((await gembench(project, ...plan, '--json')).out) as {
    together: { phase: string; seconds?: { expected: number } }[]
  }
  const seconds = together.find(({ phase }) => phase === 'answer')?.seconds?.expected ?? 0
  expect(seconds).toBeGreaterThan(0.14)
  expect(seconds).toBeLessThan(2)
  expect((await gembench(project, ...plan)).out).toContain('Time: by the calls in the same results folder')
})

test('the time of calls to a server is that of as many at once as the model and the questions allow', async () => {
  const server = await fakeServer({ latencyMs: 20 })
  const complete = { use: 'openai', model: 'm', baseUrl: server.url, concurrency: 8 }
  const project = await tinyProject({
    models: { complete, embed: 'fake' },
    methods: ['closed-book', 'full-context'],
    concurrency: 4,
    repeats: 2,
  })
  await gembench(project, 'run', '-c', 'tiny.yaml')
  const { together, rows } = JSON.parse((await gembench(project, ...plan, '--json')).out) as {
    readonly together: readonly { readonly phase: string; readonly seconds: { readonly expected: number } }[]
    readonly rows: readonly { readonly phase: string; readonly seconds: { readonly expected: number } }[]
  }
  const [folder = ''] = await readdir(join(project, 'results'))
  const meter = (await readFile(join(project, 'results', folder, 'meter.jsonl'), 'utf8')).trim().split('\n')
  const taken = meter
    .map((line) => JSON.parse(line) as { readonly phase: string; readonly milliseconds: number })
    .reduce((sum, { phase, milliseconds }) => sum + (phase === 'answer' ? milliseconds : 0), 0)
  expect(taken).toBeGreaterThan(12 * 20)
  expect(together.find(({ phase }) => phase === 'answer')?.seconds.expected).toBeCloseTo(taken / 4 / 1000, 2)
  const all = together.find(({ phase }) => phase === 'all')?.seconds.expected
  for (const { seconds } of rows) expect(all).toBeGreaterThanOrEqual(seconds.expected)
  await server.close()
})

test('a mistake is the line that validate prints', async () => {
  const project = await tinyProject()
  const flags = ['-c', 'tiny.yaml', '--set', 'budgett.tokens=3']
  const [planned, validated] = await Promise.all([
    gembench(project, 'plan', ...flags),
    gembench(project, 'validate', ...flags),
  ])
  expect(planned).toEqual(validated)
  expect(planned.code).toBe(2)
})

const ranIn = (project: string): readonly string[] =>
  readdirSync(join(project, 'results')).map((name) => `results/${name}`)

interface PlannedKept {
  readonly warnings: readonly string[]
  readonly rows: readonly {
    readonly method: string
    readonly phase: string
    readonly calls: { readonly expected: number }
    readonly kept?: { readonly least: number; readonly most: number }
  }[]
}

test('says how many calls the cache holds: exactly, and as a range behind a missing reply; nothing is sent or kept', async () => {
  const server = await fakeServer()
  const complete = { use: 'openai', model: 'm', baseUrl: server.url, apiKey: 'none' }
  const models = { complete, embed: 'fake' }
  const methods = [
    { use: 'bm25', analyser: 'plain' },
    { use: 'raptor', chunkTokens: 6 },
  ]
  const project = await tinyProject({ models, methods })
  const planned = async (): Promise<PlannedKept> =>
    JSON.parse((await gembench(project, ...plan, '--json')).out) as PlannedKept
  const keptOf = ({ rows }: PlannedKept) =>
    Object.fromEntries(rows.map(({ method, phase, kept }) => [`${method} ${phase}`, kept && [kept.least, kept.most]]))
  expect(keptOf(await planned())).toMatchObject({ 'bm25 answer': [0, 0], 'raptor index': [0, 0] })
  await gembench(project, 'run', '-c', 'tiny.yaml', '--quiet')
  const asked = server.hits.length
  const log = join(project, 'cache', 'calls', 'calls.log')
  const before = await readFile(log)
  const whole = await planned()
  const usageIn = async (run: string): Promise<readonly UsageCell[]> =>
    (JSON.parse((await gembench(project, 'table', run, '--format', 'json')).out) as Pick<Table, 'usage'>).usage
  const first = ranIn(project)[0] ?? ''
  const usage = await usageIn(first)
  expect(usage.some(({ method, phase, calls }) => method === 'raptor' && phase === 'index' && calls > 0)).toBe(true)
  expect(keptOf(whole)).toEqual(
    Object.fromEntries(usage.map(({ method, phase, calls }) => [`${method} ${phase}`, [calls, calls]])),
  )
  // a third document: its texts are in no call that was kept
  await writeFile(
    join(project, 'data', 'documents', 'ferry.md'),
    '# The Ferry\n\nThe ferry to Lisk leaves at noon. Maud owns it.\n',
  )
  const changed = await planned()
  const { 'bm25 answer': answers, 'raptor index': index = [] } = keptOf(changed)
  expect(answers).toEqual([2, 2])
  expect(index[0]).toBeLessThan(index[1] ?? NaN)
  expect(server.hits).toHaveLength(asked)
  expect(await readFile(log)).toEqual(before)
  expect((await gembench(project, ...plan)).out).toMatch(/^bm25 +answer +3 +2 /m)
  // what the run then finds in the cache is what was said
  await gembench(project, 'run', '-c', 'tiny.yaml', '--quiet')
  for (const { method, phase, cached } of await usageIn(ranIn(project).find((run) => run !== first) ?? '')) {
    const [least = NaN, most = NaN] = keptOf(changed)[`${method} ${phase}`] ?? []
    expect(cached).toBeGreaterThanOrEqual(least)
    expect(cached).toBeLessThanOrEqual(most)
  }
  await server.close()
})

test('warns of prompts that are longer than the window, and of models without a price', async () => {
  const { price: _price, ...unpriced } = nowhere
  const methods = ['bm25', 'full-context']
  const models = { complete: { ...unpriced, window: 150 }, embed: 'fake' }
  const { out } = await gembench(await tinyProject({ models, methods }), ...plan)
  expect(out).toMatch(
    /^warning: full-context: a prompt has about \d+ tokens in the mean, and the model takes 150 \(window\): such calls fail/m,
  )
  expect(out).not.toContain('warning: bm25')
  expect(out).toMatch(/^warning: models\.complete, models\.judge: no price is set/m)
})

test('runs that differ in the budget alone share an index: all of them together count it once, as the cache makes it', async () => {
  const vary = { 'budget.tokens': [20, 40, 60], 'chunks.size': [20, 40] }
  const project = await tinyProject({ methods: ['bm25', 'vector'], vary })
  const { together, runs } = JSON.parse((await gembench(project, ...plan, '--json')).out) as {
    readonly together: readonly Line[]
    readonly runs: readonly { readonly together: readonly Line[] }[]
  }
  type Line = { readonly phase: string; readonly calls: { readonly expected: number } }
  const callsIn = (lines: readonly Line[], phase: string): number =>
    lines.find((line) => line.phase === phase)?.calls.expected ?? NaN
  expect(runs.map((run) => callsIn(run.together, 'index'))).toEqual([1, 1, 1, 1, 1, 1])
  expect(callsIn(together, 'index')).toBe(2)
  const all = runs.reduce((sum, run) => sum + callsIn(run.together, 'all'), 0)
  expect(callsIn(together, 'all')).toBe(all - 4)
  expect((await gembench(project, 'run', '-c', 'tiny.yaml')).code).toBe(0)
  const meters = readdirSync(join(project, 'results'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('meter.jsonl'))
    .map((name) =>
      readFileSync(join(project, 'results', name), 'utf8')
        .trim()
        .split('\n'),
    )
  const sent = meters.flat().map((line) => JSON.parse(line) as { phase: string; method: string; cached: number })
  const index = sent.filter(({ phase, method }) => phase === 'index' && method === 'vector')
  expect([index.length, index.filter(({ cached }) => cached === 0).length]).toEqual([6, 2])
  expect((await gembench(project, ...plan)).out).toContain(
    'the index of runs that differ in the budget alone is counted once',
  )
  // without a cache each run builds its own
  const alone = await gembench(project, ...plan, '--no-cache', '--json')
  expect(callsIn((JSON.parse(alone.out) as { readonly together: readonly Line[] }).together, 'index')).toBe(6)
  expect((await gembench(project, ...plan, '--no-cache')).out).not.toContain('counted once')
})

test('runs that are no series share no index, where they differ in more than the budget', async () => {
  const project = await tinyProject({ methods: ['vector'] })
  const indexes = async (...sizes: readonly (readonly string[])[]): Promise<number | undefined> => {
    const plans = await Promise.all(sizes.map((set) => tinyPlan(project, set)))
    const { together } = await costsOfPlans(plans, tinySettings(project))
    return together.find(({ phase }) => phase === 'index')?.calls?.expected
  }
  expect(await indexes(['chunks.size=20'], ['chunks.size=40'])).toBe(2)
  expect(await indexes(['budget.tokens=20'], ['budget.tokens=40'])).toBe(1)
})
