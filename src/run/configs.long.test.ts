import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig, readConfigs, readData, type Plan } from '../config/index.ts'
import { paperTable } from '../report/paper/paper-table.ts'
import type { Experiment, PaperTable } from '../report/paper/schema.ts'
import { gembenchWith } from '../test-support/cli.ts'
import { startPglite, startPostgres, withoutPostgres } from '../test-support/servers/postgres.ts'
import { registries } from './index.ts'
import { readTrials } from './results/read-lines.ts'

const folder = fileURLToPath(new URL('../../configs', import.meta.url))
const filesIn = (name: string, ending: string): readonly string[] =>
  readdirSync(join(folder, name))
    .filter((file) => file.endsWith(ending))
    .sort()

/** Addresses that a person sets. */
const addresses = [
  ...['GPT_OSS_URL', 'QWEN3_EMBEDDING_URL', 'LLAMA_URL', 'NV_EMBED_URL', 'GEMINI_API_KEY'],
  ...['MIXTRAL_URL', 'LLAMA_2_URL', 'GEMMA_URL', 'MISTRAL_URL', 'GOR_WEIGHTS'],
]
const environment: Readonly<Record<string, string>> = {
  ...Object.fromEntries(addresses.map((name) => [name, 'http://localhost:8000/v1'])),
  DATABASE_URL: 'postgresql://localhost/gembench',
}

const read = (sources: readonly string[], set: readonly string[] = []): Promise<Plan> =>
  readConfig(sources, { cwd: folder, set, environment }, registries)

const rowsOf = ({ methods }: Plan): readonly string[] => methods.map(({ label, variant }) => `${label} (${variant})`)

describe('every config', () => {
  const configs = filesIn('.', '.yaml')

  test.each(configs)('%s is valid and is named after its file', async (file) => {
    const plans = await readConfigs([file], { cwd: folder, set: [], environment }, registries)
    expect([...new Set(plans.map(({ name }) => name))]).toEqual([file.slice(0, -'.yaml'.length)])
  })

  test.each(configs.filter((file) => file.endsWith('-offline.yaml')))(
    '%s differs from its original only in data and models',
    async (file) => {
      const [variant, original] = await Promise.all([read([file]), read([file.replace('-offline', '')])])
      expect(rowsOf(variant)).toEqual(rowsOf(original))
      expect(variant.scorers?.map(({ label }) => label)).toEqual(original.scorers?.map(({ label }) => label))
      expect(variant.budget).toEqual(original.budget)
      expect([variant.judgeRuns, variant.repeats, variant.seed]).toEqual([
        original.judgeRuns,
        original.repeats,
        original.seed,
      ])
      expect([variant.models.complete.use, variant.models.embed.use]).toEqual(['extractive', 'minilm'])
    },
  )
})

if (withoutPostgres !== undefined)
  process.stderr.write(`configs.long.test.ts: pgvector.yaml on a real PostgreSQL is skipped: ${withoutPostgres}\n`)

describe.each([
  ['PGlite', startPglite, true],
  ['PostgreSQL', startPostgres, withoutPostgres === undefined],
] as const)('on %s', (_, start, isThere) => {
  test.runIf(isThere)(
    'pgvector.yaml retrieves from the database the passages of an exact search in memory',
    async () => {
      const postgres = await start()
      const project = mkdtempSync(join(tmpdir(), 'gembench-config-'))
      const args = ['run', '-c', join(folder, 'pgvector.yaml'), '--set', 'models.embed=fake', '--limit', '2']
      const outcome = await gembenchWith({ DATABASE_URL: postgres.url })(project, ...args)
      await postgres.stop()
      expect(outcome).toMatchObject({ code: 0 })
      const [run = ''] = readdirSync(join(project, 'results'))
      const contexts = new Map<string, unknown[]>()
      for await (const line of readTrials(join(project, 'results', run)))
        if (line.line === 'trial')
          contexts.set(line.method, [...(contexts.get(line.method) ?? []), line.context.map(({ from }) => from)])
      expect(contexts.get('vector')?.length).toBeGreaterThan(0)
      expect(contexts.get('exact')).toEqual(contexts.get('vector'))
      expect(contexts.get('hnsw')).toHaveLength(contexts.get('vector')?.length ?? 0)
    },
    60_000,
  )
})

describe('every table of a paper', () => {
  const papers = filesIn('paper', '.json')
  const readPaper = (file: string): Promise<PaperTable> => readData(join(folder, 'paper', file), folder, paperTable)
  const planOf = ({ configs, set }: Experiment, file: string): Promise<Plan> =>
    read(
      configs.map((config) => join(dirname(join(folder, 'paper', file)), config)),
      set,
    )

  test.each(papers)('the runs of %s have its rows and scores', async (file) => {
    const paper = await readPaper(file)
    for (const [name, run] of Object.entries(paper.runs)) {
      const plan = await planOf(run, file)
      const variants = await Promise.all(run.offline.map((variant) => planOf(variant, file)))
      for (const item of [plan, ...variants]) expect(item.scorers).toEqual(plan.scorers)
      for (const { row, column } of paper.cells) {
        const where = paper.columns[column]
        const { method, variant, runs = {} } = paper.rows[row] ?? {}
        if (where === undefined || (runs[where.run] ?? where.run) !== name || method === undefined) continue
        expect(rowsOf(plan)).toContain(`${method} (${variant ?? ''})`)
        if ('scorer' in where) expect(plan.scorers?.map(({ label }) => label)).toContain(where.scorer)
      }
    }
    expect(Object.values(paper.runs).some(({ offline }) => offline.length > 0)).toBe(true)
  })

  test('a run on MuSiQue names its file, because other datasets are in the same folder', async () => {
    const files: unknown[] = []
    for (const paper of papers)
      for (const run of Object.values((await readPaper(paper)).runs)) {
        const { use, options } = (await planOf(run, paper)).dataset
        if (use === 'musique') files.push((options as { questionFile: unknown }).questionFile)
      }
    expect(files.sort()).toEqual(['musique.json', 'musique_ans_v1.0_dev.jsonl', 'musique_ans_v1.0_dev.jsonl'])
  })

  test('the rows of UnWeaver and HippoRAG have the limits of their papers, not those of the budget', async () => {
    const optionsOf = async (file: string) =>
      Object.fromEntries((await read([file])).methods.map(({ label, options }) => [label, options]))
    expect(await optionsOf('unweaver-table-1.yaml')).toMatchObject({
      unweaver: { topK: 5, maxTokens: 4000 },
      'unweaver-ppr': { topK: 5, maxTokens: 4000 },
      hipporag2: { qaTopK: 5, padding: true },
    })
    expect(await optionsOf('hipporag2-musique.yaml')).toMatchObject({
      hipporag: { qaTopK: 5, padding: true },
      hipporag2: { qaTopK: 5, padding: true },
    })
  })

  const mainTable = [31, 30, 30, 30].flatMap((questions) => Array.from({ length: 6 }, () => questions))

  // cells counted and added up from the printed tables, so that none is changed unseen
  test.each<[string, readonly (number | undefined)[], (readonly [number, number])?]>([
    ['gem-rag-table-1', [1638, 1638, 1638, 1638], [26, 1356.07]],
    ['gem-rag-table-2', [undefined, undefined], [6, 113.61]],
    ['gem-rag-table-3', [undefined], [6, 152.4]],
    ['gem-rag-figure-2', [undefined], [0, 0]],
    ['unweaver-table-1', [1234, 522, 596, 2417], [185, 487916.4713]],
    ['hipporag2-musique', [1000], [11, 512.1]],
    ['hipporag2-four-sets', [1000, 1000, 1000, 1000], [60, 3498.8]],
    ['hlgraphrag-figure-5-1', [1219], [18, 6 * 1219]],
    ['hlgraphrag-figure-5-5', [1219], [12, 7311.26]],
    ['ragsearch', [undefined], [3, 185.64]],
    ['gor-ablation', [31]],
    ['gor-main', mainTable],
  ])('%s asked %j questions, run by run, and holds numbers of this count and sum: %j', async (name, asked, printed) => {
    const { runs, notes, cells } = await readPaper(`${name}.json`)
    expect(Object.values(runs).map(({ questions }) => questions)).toEqual(asked)
    if (name.startsWith('gem-rag')) expect(notes.join()).toContain('The paper prints no number of questions')
    if (!printed) return
    const values = cells.flatMap(({ value }) => value ?? [])
    expect(values).toHaveLength(printed[0])
    expect(values.reduce((total, value) => total + value, 0)).toBeCloseTo(printed[1], 4)
  })
})
