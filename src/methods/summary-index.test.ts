import { expect, test } from 'vitest'
import { ask, chunksOf, failing, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { summaryIndex } from './summary-index.ts'

interface SummariseInput {
  readonly texts: readonly string[]
}

testMethod(summaryIndex)

const chunks = chunksOf(
  ...['a: 0 the oven', 'a: 9 rye bread', 'b: 0 rye bread and mill', 'c: 0 river', 'd: 0 ash', 'e: 0 elm bakery rye'],
)

const summaries: Readonly<Record<string, string>> = {
  the: 'a bakery',
  rye: 'a mill bakery',
  riv: 'a stream bakery',
  ash: 'trees',
  elm: 'trees',
}
const summary = ({ texts }: SummariseInput) => summaries[texts[0]?.slice(0, 3) ?? '']

test('ranks chunks of the three documents with the nearest summaries first, each group by cosine', async () => {
  const { passages } = await ask(summaryIndex, chunks, { text: 'rye of the bakery', replies: { summarise: summary } })
  expect(rankedIds(passages).slice(0, 4).toSorted()).toEqual(['c0', 'c1', 'c2', 'c3'])
  expect(rankedIds(passages)[4]).toBe('c5')
  expect(passages[0]).toMatchObject({ from: ['c1'], score: 1, why: { 'rank of document': 1, summary: 'a bakery' } })
})

test('finds a document without a summary by its beginning, and counts truncation', async () => {
  const summarise = ({ texts }: SummariseInput) =>
    texts[0] === 'river' ? failing('refused')() : 'a long summary of this document. '.repeat(40)
  const long = chunksOf(`a: 0 ${'oats '.repeat(9000)}`, 'c: 0 river')
  const { passages, warnings, calls } = await ask(summaryIndex, long, { text: 'river', replies: { summarise } })
  expect(passages[0]).toMatchObject({ from: ['c1'], why: { summary: 'river' } })
  expect(warnings).toEqual({
    'documents without a summary, which their beginning stands for': 1,
    'summaries that were cut off': 1,
    'documents that were summarised in part': 1,
  })
  const [text = ''] = (calls[0]?.input as SummariseInput).texts
  expect(fakeModels().countTokens(text)).toBe(8000)
})
