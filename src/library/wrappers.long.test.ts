import { expect, test } from 'vitest'
import { openResults } from '../run/index.ts'
import { tinyProject } from '../test-support/tiny.ts'
import { plan } from './plan.ts'
import { run } from './run.ts'

const wrapped = { use: 'mmr', of: { use: 'rerank', depth: 20, of: { use: 'multi-query', of: 'hybrid' } } } as const
const config = {
  name: 'wrapped',
  dataset: { use: 'sample', options: { kinds: 'answer' }, limit: 8 },
  models: { complete: 'extractive', embed: 'fake' },
  methods: ['bm25', wrapped],
  scorers: ['squad', 'retrieval'],
} as const

test('three nested wrappers form one row that answers, is explained, and is planned within 25 % of its usage', async () => {
  const cwd = await tinyProject()
  const { runs } = await plan(config, { cwd })
  const { folder, rows, costs } = await run(config, { cwd })
  expect(rows.map(({ name, trials, failed }) => [name, trials, failed])).toEqual([
    ['bm25', 8, 0],
    ['mmr', 8, 0],
  ])
  const why = new Set<string>()
  for await (const line of (await openResults(folder, '')).trials())
    if (line.line === 'trial' && line.method === 'mmr')
      for (const passage of line.context) for (const name of Object.keys(passage.why ?? {})) why.add(name)
  // of mmr and rerank, of multi-query, and of hybrid
  expect([...why].sort()).toMatchInlineSnapshot(`
    [
      "asked",
      "marginal relevance",
      "rank before",
      "rank in query 1",
      "rank in query 2",
      "rank in query 3",
      "rank in query 4",
      "rank in the question",
      "score in query 1",
      "score in query 2",
      "score in query 3",
      "score in query 4",
      "score in the question",
    ]
  `)
  for (const phase of ['index', 'retrieve', 'answer'] as const) {
    const used = costs.find((one) => one.method === 'mmr' && one.phase === phase)
    const planned = runs[0]?.rows.find((one) => one.method === 'mmr' && one.phase === phase)
    for (const kind of ['calls', 'promptTokens'] as const) {
      const [expected, real] = [planned?.[kind] ?? NaN, used?.[kind] ?? NaN]
      expect([phase, kind, Math.abs(expected - real) <= real / 4]).toEqual([phase, kind, true])
    }
  }
})
