import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfigValue } from '../../config/index.ts'
import { tableOf } from '../../report/table/table.ts'
import { tinySettings } from '../../test-support/tiny.ts'
import { menus } from '../plug-ins/menus.ts'
import { prepare } from '../prepare/prepare.ts'
import { openResults } from '../results/series.ts'
import { run } from '../run.ts'
import { expectedRun } from './expected-run.ts'

/** A config on the sample dataset with offline models. */
const planOf = async (folder: string, config: object) =>
  readConfigValue(
    { name: 'planned', dataset: { use: 'sample', limit: 9 }, models: { complete: 'extractive', embed }, ...config },
    'config',
    { cwd: folder, environment: {} },
    menus,
  )
const embed = 'fake'

// not known: what a program or a server will ask, how much of a document an embedder reads at once, a file
const unknown: readonly string[] = ['http', 'late-chunking', 'recorded']
const everyMethod = (await menus.methods.all()).flatMap(({ name, program }) =>
  program || unknown.includes(name) ? [] : [name],
)

/** What was expected of each row and phase, and what a run then spent. */
async function plannedAndSpent(config: object) {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-planned-'))
  const plan = await planOf(folder, config)
  const settings = tinySettings(folder)
  const prepared = await prepare(plan, settings)
  const { rows, together } = await expectedRun(prepared)
  await prepared.close()
  const { folder: results, manifest } = await run(plan, settings)
  const { usage } = await tableOf(manifest, await openResults(results, ''))
  const pairs = usage.map((spent) => {
    const row = rows.find(({ method, variant }) => method === spent.method && variant === spent.variant)
    return { name: `${spent.method} ${spent.phase}`, spent, expected: row?.phases[spent.phase] }
  })
  return { pairs, together }
}

/** How far an expectation is off, for what is worth counting. */
const off = ({ pairs }: Awaited<ReturnType<typeof plannedAndSpent>>, field: 'calls' | 'promptTokens', least: number) =>
  pairs.flatMap(({ name, spent, expected }) => {
    const [real, likely] = [spent[field], expected?.[field].expected ?? NaN]
    if (real < least && likely < least) return []
    return Math.abs(likely / real - 1) <= 0.25 ? [] : [`${name}: ${field} ${likely}, really ${real}`]
  })

describe('calls and prompt tokens are within a quarter of those of the run, in every row and phase', () => {
  test.each([
    ['every method', { chunks: { size: 100 }, methods: everyMethod }],
    [
      'other options',
      {
        chunks: { size: 300, overlap: 30 },
        budget: { passages: 3, tokens: 700 },
        repeats: 2,
        methods: [
          { use: 'gem-rag', questions: 3, components: 4, clustering: 'kmeans' },
          { use: 'gem-rag', label: 'plain', questions: 0, scope: 'corpus' },
          { use: 'hipporag', qaTopK: 3 },
          { use: 'hipporag2', filter: 'none' },
          { use: 'full-context', truncate: 500 },
          { use: 'oracle', documents: true },
          'raptor',
        ],
      },
    ],
    [
      'every judge',
      {
        dataset: { use: 'sample', limit: 9, options: { kinds: 'answer' } },
        answers: 'sentence',
        judgeRuns: 2,
        methods: ['bm25', 'oracle'],
        scorers: ['answer-relevancy', 'context-precision', 'context-recall', 'factual-correctness', 'faithfulness'],
      },
    ],
  ])(
    '%s',
    async (_what, config) => {
      const found = await plannedAndSpent(config)
      expect(found.pairs.filter(({ expected }) => !expected).map(({ name }) => name)).toEqual([])
      expect(found.pairs.some(({ spent }) => spent.calls > 20)).toBe(true)
      expect(off(found, 'calls', 10)).toEqual([])
      expect(off(found, 'promptTokens', 1000)).toEqual([])
    },
    120_000,
  )
})

test('rows that ask the same share its calls in the sum of all rows; repeats are asked again', async () => {
  const methods = ['unweaver', 'unweaver-ppr', { use: 'unweaver', label: 'again' }]
  const folder = await mkdtemp(join(tmpdir(), 'gembench-planned-'))
  const prepared = await prepare(await planOf(folder, { methods, repeats: 2 }), tinySettings(folder))
  const { rows, together } = await expectedRun(prepared)
  await prepared.close()
  const [first, second, third] = rows
  expect(second?.phases.index).toEqual(first?.phases.index)
  expect(third?.phases).toEqual(first?.phases)
  expect(together.index).toEqual(first?.phases.index)
  // nine questions are embedded once, and asked twice of two different methods
  expect(first?.phases.retrieve?.calls.expected).toBe(18)
  expect(together.retrieve.calls.expected).toBe(9)
  expect(together.answer.calls.expected).toBe(36)
})

describe('a method of somebody else', () => {
  const estimate = async (costs: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'gembench-planned-'))
    const source = `import { z } from ${JSON.stringify(join(import.meta.dirname, '../../../node_modules/zod/index.js'))}
export default { name: 'mine', summary: 'Mine.', options: z.strictObject({}), ${costs} async index() { return { retrieve: async () => [] } } }`
    await writeFile(join(folder, 'mine.mjs'), source)
    const prepared = await prepare(await planOf(folder, { methods: ['./mine.mjs', 'bm25'] }), tinySettings(folder))
    return expectedRun(prepared).finally(() => prepared.close())
  }

  test('that does not say what it costs is not known, never 0; its answers are bounded by the budget', async () => {
    const { rows, together } = await estimate(`costs: () => 'unknown',`)
    expect(rows[0]?.phases).toMatchObject({
      index: undefined,
      retrieve: undefined,
      answer: { calls: { low: 0, expected: 9 } },
    })
    expect(together.answer.calls.expected).toBe(18)
  })

  test.each([
    ['costs: () => undefined,', 'mine: costs() gave no context(query)'],
    ['costs: () => ({ index: 3, retrieve: [], context: () => 0 }),', 'mine: costs() gave no list of calls'],
    [
      'costs: () => ({ index: [{ calls: { low: 2, expected: 1, high: 3 } }], retrieve: [], context: () => 0 }),',
      'mine: costs() gave calls that are not',
    ],
    [
      'costs: () => ({ index: [], retrieve: [], context: () => ({ passages: { low: 0, expected: NaN, high: 1 } }) }),',
      'mine: costs() gave passages that are not',
    ],
  ])('whose costs are none is an error that says so: %s', async (costs, said) => {
    await expect(estimate(costs)).rejects.toThrow(said)
  })
})
