import { expect, test } from 'vitest'
import { ask, asking, chunksOf, rankedIds } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import type { Evidence, Query } from '../types.ts'
import { bm25 } from './bm25.ts'
import { oracleRerank } from './oracle-rerank.ts'

testMethod(await asking(oracleRerank, 'vector'))
testMethod(await asking(oracleRerank, { use: 'rerank' }), { options: { depth: 2 } })

const chunks = chunksOf('a: 0 mill one', 'a: 9 mill two', 'a: 18 mill three', 'b: 0 mill four', 'b: 10 mill five')

const search = async (evidence?: readonly Evidence[], options = {}) =>
  (await ask(await asking(oracleRerank, 'bm25'), chunks, { text: 'mill', options, ...(evidence && { evidence }) }))
    .passages

test.each<[string, Evidence[], string[]]>([
  ['what holds evidence stands first', [{ documentId: 'b', text: 'five' }], ['c4', 'c0', 'c1', 'c2', 'c3']],
  [
    'ranks repeated evidence after new evidence',
    [
      { documentId: 'a', text: 'one' },
      { documentId: 'a', text: 'one mill two mill' },
      { documentId: 'b', text: 'five' },
    ],
    ['c0', 'c4', 'c1', 'c2', 'c3'],
  ],
  ['a higher grade comes first', [{ documentId: 'a' }, { documentId: 'b', grade: 2 }], ['c3', 'c0', 'c4', 'c1', 'c2']],
  ['both chunks that hold the halves of one piece', [{ documentId: 'a', text: 'two mill three' }], ['c2', 'c1', 'c0', 'c3', 'c4']], // prettier-ignore
  ['nothing changes where the evidence stands nowhere', [{ documentId: 'a', text: 'oven' }, { documentId: 'zz' }], ['c0', 'c1', 'c2', 'c3', 'c4']], // prettier-ignore
  ['nothing changes without evidence', [], ['c0', 'c1', 'c2', 'c3', 'c4']],
])('%s', async (_name, evidence, places) => {
  expect(rankedIds(await search(evidence))).toEqual(places)
})

test('records previous rank and evidence, and keeps passages after the depth in place', async () => {
  const passages = await search([{ documentId: 'b', text: 'four' }], { depth: 4 })
  expect(passages[0]).toMatchObject({ from: ['c3'], score: 1, why: { 'rank before': 4, evidence: 1 } })
  const unchanged = await search([{ documentId: 'b', text: 'five' }], { depth: 4 })
  expect(rankedIds(unchanged)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
})

test('rejects a question without evidence, and hides evidence from the inner method', async () => {
  await expect(search()).rejects.toThrow('question q7 has no evidence')
  const seen: object[] = []
  const watched = { ...bm25, index: async () => ({ retrieve: async (query: Query) => (seen.push(query), []) }) }
  await ask(await asking(oracleRerank, watched), chunks, { text: 'mill', evidence: [] })
  expect(seen).toEqual([{ id: 'q7', text: 'mill' }])
})
