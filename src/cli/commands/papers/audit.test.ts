import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hlgraphragPaper } from '../../../test-support/hlgraphrag-paper.ts'
import { gembench, type CliEnded } from '../../../test-support/cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gembench-audit-'))
  await writeFile(join(folder, 'table.json'), JSON.stringify(hlgraphragPaper, null, 2))
  await writeFile(
    join(folder, 'wrong.json'),
    JSON.stringify(
      { ...hlgraphragPaper, statements: [{ kind: 'sum', says: 's', place: 'p', of: ['chokes'], equals: 1 }] },
      null,
      2,
    ),
  )
})

const audit = (...args: readonly string[]): Promise<CliEnded> => gembench(folder, 'audit', ...args)

test('a table that comes with gembench, by name: n, sums, run noise, claims; what is found is no error', async () => {
  const { code, out, err } = await audit('unweaver-table-1')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^Table 1 {2}Tuora et al\./)
  expect(out.match(/^(n|Sums|Run noise|Claims|Notes)$/gm)).toEqual(['n', 'Sums', 'Run noise', 'Claims', 'Notes'])
  expect(out).toMatch(/^UnWeaver against VectorRAG +0\.0033 +1\.68 +0\.75 +2\.36 +within run noise$/m)
  expect(out).toMatch(/^UnWeaver against VectorRAG +0\.0018 +0\.59 +0\.26 +2\.36 +within run noise$/m)
  expect(out).toContain('other questions would add to it, so the uncertainty is larger')
  const gem = await audit('gem-rag-table-1')
  expect(gem.out).toMatch(/^The paper prints no number of questions\. 1638, of them 783 HARD/m)
  expect(gem.out).toMatch(/^questions: 1638, the only number from 50 to 2086 that allows all 13 printed shares$/m)
  expect(gem.out).toMatch(
    /^within binomial noise: the exception: with OpenAI embeddings and UnifiedQA GEM-RAG is not the most accurate /m,
  )
})

test("a file of one's own: a p-value that its runs do not give", async () => {
  const { code, out } = await audit('table.json')
  expect(code).toBe(0)
  expect(out).toMatch(/^disagrees: chokes fall .*stated p = 0\.15, its runs give p = 0\.000372 /m)
})

test('another range for n; --json is one document', async () => {
  const { code, out, err } = await audit('gem-rag-table-1', '--n', '1600..3300', '--json')
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject({
    file: expect.stringMatching(/gem-rag-table-1\.json$/),
    table: 'Table I',
    shares: [{ of: 'questions', from: 1600, to: 3300, fits: [1638, 3276] }, { of: 'HARD questions' }],
    ...{ sums: [], noise: [], claims: expect.any(Array), pValues: [] },
  })
})

test.each([
  [['gem-rag-tabel-1'], 'unknown table "gem-rag-tabel-1"; did you mean "gem-rag-table-1"?'],
  [['tabel.json'], 'tabel.json: no such file; did you mean "table.json"?'],
  [['wrong.json'], /wrong\.json:\d+:\d+: statements\.0: there is no column "chokes" in this file/],
  [['gem-rag-table-1', '--n', '2086..50'], '--n 2086..50: must be two whole numbers'],
  [['gem-rag-table-1', '--n', '50-2086'], '--n 50-2086: must be two whole numbers'],
])('%j: one line, exit code 2', async (args, message) => {
  const { code, out, err } = await audit(...args)
  expect([code, out]).toEqual([2, ''])
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(err).toMatch(message)
})
