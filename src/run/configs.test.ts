import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig, readData, type Plan } from '../config/index.ts'
import { paperTable, type Experiment, type PaperTable } from '../report/paper/paper-table.ts'
import { menus } from './index.ts'

const folder = fileURLToPath(new URL('../../configs', import.meta.url))
const filesIn = (name: string, ending: string): readonly string[] =>
  readdirSync(join(folder, name))
    .filter((file) => file.endsWith(ending))
    .sort()

/** Addresses that a person sets. */
const environment = Object.fromEntries(
  ['GPT_OSS_URL', 'QWEN3_EMBEDDING_URL', 'LLAMA_URL', 'NV_EMBED_URL'].map((name) => [name, 'http://localhost:8000/v1']),
)

const read = (sources: readonly string[], set: readonly string[] = []): Promise<Plan> =>
  readConfig(sources, { cwd: folder, set, environment }, menus)

const rowsOf = ({ methods }: Plan): readonly string[] => methods.map(({ label, variant }) => `${label} (${variant})`)

describe('every config', () => {
  const configs = filesIn('.', '.yaml')

  test.each(configs)('%s is valid, and named after its file', async (file) => {
    expect((await read([file])).name).toBe(file.slice(0, -'.yaml'.length))
  })

  test.each(configs.filter((file) => file.endsWith('-offline.yaml')))(
    '%s differs from its original in data and models alone',
    async (file) => {
      const [twin, original] = await Promise.all([read([file]), read([file.replace('-offline', '')])])
      expect(rowsOf(twin)).toEqual(rowsOf(original))
      expect(twin.scorers?.map(({ label }) => label)).toEqual(original.scorers?.map(({ label }) => label))
      expect(twin.budget).toEqual(original.budget)
      expect([twin.judgeRuns, twin.repeats, twin.seed]).toEqual([original.judgeRuns, original.repeats, original.seed])
      expect([twin.models.complete.use, twin.models.embed.use]).toEqual(['extractive', 'minilm'])
    },
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

  test.each(papers)('%s is made by runs that hold its rows and scores', async (file) => {
    const paper = await readPaper(file)
    for (const [name, run] of Object.entries(paper.runs)) {
      const plan = await planOf(run, file)
      const twins = await Promise.all(run.offline.map((twin) => planOf(twin, file)))
      for (const one of [plan, ...twins]) expect(one.scorers).toEqual(plan.scorers)
      for (const { row, column } of paper.cells) {
        const where = paper.columns[column]
        const { method, variant } = paper.rows[row] ?? {}
        if (where?.run !== name || method === undefined) continue
        expect(rowsOf(plan)).toContain(`${method} (${variant ?? ''})`)
        if ('scorer' in where) expect(plan.scorers?.map(({ label }) => label)).toContain(where.scorer)
      }
    }
    expect(Object.values(paper.runs).some(({ offline }) => offline.length > 0)).toBe(true)
  })

  // counted and added up from the printed tables, so that no cell is changed unseen
  test.each([
    ['gem-rag-table-1', 26, 1356.07],
    ['gem-rag-table-2', 6, 113.61],
    ['gem-rag-table-3', 6, 152.4],
    ['gem-rag-figure-2', 0, 0],
    ['unweaver-table-1', 185, 487916.4713],
    ['hipporag2-musique', 11, 512.1],
  ])('%s holds %i numbers that add up to %d', async (name, count, sum) => {
    const values = (await readPaper(`${name}.json`)).cells.flatMap(({ value }) => value ?? [])
    expect(values).toHaveLength(count)
    expect(values.reduce((total, value) => total + value, 0)).toBeCloseTo(sum, 4)
  })
})
