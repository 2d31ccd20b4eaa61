import { writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeServer } from '../../test-support/servers/server.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { gembench } from '../../test-support/cli.ts'

const plan = ['plan', '-c', 'tiny.yaml'] as const

/** A model at an address where nothing answers. */
const price = { prompt: 1000, completion: 2000, embedding: 0 }
const nowhere = { use: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1', retries: 0, price }

interface Line {
  readonly method?: string
  readonly phase: string
  readonly calls: number | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly usd?: number
}

interface Planned {
  readonly trials: number
  readonly rows: readonly Line[]
  readonly together: readonly Line[]
}

const lineOf = (lines: readonly Line[], phase: string, method?: string): Line => {
  const line = lines.find((item) => item.phase === phase && item.method === method)
  if (!line) throw new Error(`there is no line of ${phase}`)
  return line
}

const planOf = async (project: string, ...flags: readonly string[]): Promise<Planned> =>
  JSON.parse((await gembench(project, ...plan, '--json', ...flags)).out) as Planned

test('prints one table by row and phase without a call or a file', async () => {
  const project = await tinyProject({ models: { complete: nowhere, embed: 'fake' }, methods: ['bm25', 'vector'] })
  const { code, out, err } = await gembench(project, ...plan)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^tiny-[0-9a-f]{8}: 6 trials\n/)
  expect(out).toMatch(/^vector +index +1 +0 +0 +\d+ +0\.0000$/m)
  expect(out).toMatch(/^bm25 +answer +3 /m)
  expect(out).toMatch(/^all rows together +all +8 /m)
  expect(['results', 'cache'].map((name) => existsSync(join(project, name)))).toEqual([false, false])
})

test('--json prints one document with money if priced and null if unknown', async () => {
  const project = await tinyProject({ models: { complete: nowhere, embed: 'fake' }, methods: ['bm25', 'vector'] })
  const { rows, together, trials } = await planOf(project)
  expect(trials).toBe(6)
  expect(rows).toHaveLength(8)
  const { promptTokens, completionTokens, usd } = lineOf(rows, 'answer', 'bm25')
  expect(usd).toBeCloseTo(((promptTokens ?? NaN) * 1000 + (completionTokens ?? NaN) * 2000) / 1e6, 1)
  // two of the contexts are those of both rows
  const { usd: all, ...sum } = lineOf(together, 'all')
  expect(all).toBeCloseTo(((sum.promptTokens ?? NaN) * 1000 + (sum.completionTokens ?? NaN) * 2000) / 1e6, 1)
  expect(together.map(({ phase }) => phase)).toEqual(['index', 'retrieve', 'answer', 'judge', 'all'])
})

test('counts the calls that test a judge', async () => {
  const project = await tinyProject({ methods: ['bm25'], judgeRuns: 1, scorers: ['context-precision'] })
  const { rows, together } = await planOf(project)
  // two questions have an answer: two claims that are true, two that are false
  expect((lineOf(together, 'judge').calls ?? NaN) - (lineOf(rows, 'judge', 'bm25').calls ?? NaN)).toBe(4)
})

test('warns of prompts that are longer than the window, and of models without a price', async () => {
  const { price: _price, ...withoutPrices } = nowhere
  const methods = ['bm25', 'full-context']
  const models = { complete: { ...withoutPrices, window: 150 }, embed: 'fake' }
  const { out } = await gembench(await tinyProject({ models, methods }), ...plan)
  expect(out).toMatch(/^warning: full-context: a prompt has about \d+ tokens .* takes 150 \(window\): such calls fail/m)
  expect(out).not.toContain('warning: bm25')
  expect(out).toMatch(/^warning: models\.complete, models\.judge: no price is set/m)
})

test('counts the index of runs that differ only in the budget once', async () => {
  const vary = { 'budget.tokens': [20, 40, 60], 'chunks.size': [20, 40] }
  const project = await tinyProject({ methods: ['bm25', 'vector'], vary })
  const { together, runs } = JSON.parse((await gembench(project, ...plan, '--json')).out) as {
    readonly together: readonly Line[]
    readonly runs: readonly { readonly together: readonly Line[] }[]
  }
  const callsIn = (lines: readonly Line[], phase: string): number => lineOf(lines, phase).calls ?? NaN
  expect(runs.map((run) => callsIn(run.together, 'index'))).toEqual([1, 1, 1, 1, 1, 1])
  expect(callsIn(together, 'index')).toBe(2)
  const all = runs.reduce((sum, run) => sum + callsIn(run.together, 'all'), 0)
  expect(callsIn(together, 'all')).toBe(all - 4)
  expect((await gembench(project, ...plan)).out).toContain('the index of runs that differ only in the budget')
  // without a cache each run builds its own
  const alone = await gembench(project, ...plan, '--no-cache', '--json')
  expect(callsIn((JSON.parse(alone.out) as { readonly together: readonly Line[] }).together, 'index')).toBe(6)
})

test('makes no network call and runs programs and plug-ins with --ask-programs only', async () => {
  const server = await fakeServer()
  const complete = { use: 'openai', model: 'm', baseUrl: server.url, apiKey: 'none', price }
  const project = await tinyProject({
    models: { complete, embed: { ...complete, model: 'e' }, judge: complete },
    scorers: ['answer-relevancy'],
    methods: [
      'bm25',
      'raptor',
      './mine.mjs',
      { use: 'http', url: server.url },
      { use: 'hybrid', of: ['bm25', './mine.mjs'] },
    ],
  })
  const source = `import { z } from ${JSON.stringify(join(import.meta.dirname, '../../../node_modules/zod/index.js'))}
import { writeFileSync } from 'node:fs'
export default {
  name: 'mine', version: 1, summary: 'Mine.', options: z.strictObject({}),
  async index(chunks) {
    writeFileSync(${JSON.stringify(join(project, 'was-run'))}, '')
    return { retrieve: async () => [{ text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk' }] }
  },
}`
  await writeFile(join(project, 'mine.mjs'), source)
  const { rows } = await planOf(project)
  const unknown = rows.filter(({ calls }) => calls === null).map(({ method }) => method)
  expect([...new Set(unknown)]).toEqual(['mine', 'http', 'hybrid'])
  expect(unknown).toHaveLength(3 * 4)
  expect(lineOf(rows, 'index', 'raptor').calls).toBeGreaterThan(0)
  expect(lineOf(rows, 'answer', 'bm25').completionTokens).toBeGreaterThan(0)
  expect(lineOf(rows, 'judge', 'bm25').calls).toBeGreaterThan(0)
  expect((await gembench(project, ...plan)).out).toMatch(/^http +index +unknown .*\n/m)
  expect(server.hits).toHaveLength(0)
  expect(existsSync(join(project, 'was-run'))).toBe(false)

  const reply = await planOf(project, '--methods', 'bm25,mine,hybrid', '--ask-programs')
  expect(reply.rows.filter(({ calls }) => calls === null)).toEqual([])
  expect(lineOf(reply.rows, 'answer', 'mine').calls).toBe(lineOf(reply.rows, 'answer', 'bm25').calls)
  expect(server.hits).toHaveLength(0)
  expect(existsSync(join(project, 'was-run'))).toBe(true)
  await server.close()
})

test('marks a row that fails in the dry run as unknown, with the reason', async () => {
  const project = await tinyProject({ methods: ['bm25', './broken.mjs'] })
  const source = `import { z } from ${JSON.stringify(join(import.meta.dirname, '../../../node_modules/zod/index.js'))}
export default { name: 'broken', version: 1, summary: 'Broken.', options: z.strictObject({}), index: async () => { throw new Error('no luck') } }`
  await writeFile(join(project, 'broken.mjs'), source)
  const { out } = await gembench(project, ...plan, '--ask-programs')
  expect(out).toMatch(/^broken +answer +unknown/m)
  expect(out).toMatch(/^warning: broken: its usage is unknown, since it failed in the dry run: .*no luck/m)
})

test('names rows with truncated embedder inputs', async () => {
  const embed = { use: 'minilm', maxTokens: 10 }
  const project = await tinyProject({
    chunks: { by: 'none' },
    models: { complete: 'extractive', embed },
    methods: ['bm25', 'vector'],
  })
  const warnings = (await gembench(project, ...plan)).out.match(/^warning: .* reads 10 tokens of a text.*$/gm)
  expect(warnings).toEqual([
    expect.stringMatching(/^warning: vector: all-MiniLM-L6-v2 reads 10 tokens .* about \d+\.\d % /),
  ])
})
