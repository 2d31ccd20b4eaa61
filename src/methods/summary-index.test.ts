import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { chunksOf, ranked } from '../test-support/ask-method.ts'
import type { SummariseInput } from '../tasks/pieces.ts'
import { fakeModels, type FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { summaryIndex } from './summary-index.ts'

testMethod(summaryIndex)
testMethod(summaryIndex, { options: { documents: 1, summaryTokens: 3, documentTokens: 5 } })

const chunks = chunksOf('a: 0 the oven', 'a: 9 rye bread', 'b: 0 rye bread and mill', 'c: 0 river')

const summaries: Readonly<Record<string, string>> = { the: 'a bakery', rye: 'a mill', riv: 'a stream' }
const summary: FakeReply = (input) => summaries[(input as SummariseInput).texts[0]?.slice(0, 3) ?? '']

const found = async (reply: FakeReply, options: object, text: string) => {
  const models = fakeModels({ replies: { summarise: reply } })
  const index = await summaryIndex.index(chunks, models, summaryIndex.options.parse(options))
  const passages = await index.retrieve({ id: 'q', text }, { passages: 9, tokens: 99 }, models)
  return { passages, models, warnings: index.warnings?.() }
}

test('chunks of the documents with the nearest summaries come first, each group by cosine', async () => {
  const { passages } = await found(summary, { documents: 1 }, 'rye bread of the bakery')
  expect(ranked(passages).slice(0, 2).toSorted()).toEqual(['c0', 'c1'])
  expect(passages[0]).toMatchObject({ from: ['c1'], score: 1, why: { 'rank of document': 1, summary: 'a bakery' } })
  // both of the first two documents together
  expect(ranked((await found(summary, { documents: 3 }, 'river')).passages)[0]).toBe('c3')
})

test('a document without a summary is found by its beginning; what is cut is counted', async () => {
  const lost: FakeReply = (input) => {
    if ((input as SummariseInput).texts[0]?.startsWith('riv')) throw new ModelError('refused', 'no')
    return 'a long summary of this document. And more of it.'
  }
  const { passages, warnings, models } = await found(lost, { summaryTokens: 7, documentTokens: 3 }, 'river')
  expect(passages[0]).toMatchObject({ from: ['c3'], why: { summary: 'river' } })
  expect(warnings).toEqual({
    'documents without a summary, which their beginning stands for': 1,
    'summaries that were cut off': 2,
    'documents that were summarised in part': 2,
  })
  expect((models.calls[0]?.input as SummariseInput).texts).toEqual(['the oven rye'])
})
