import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { chunksOf, rankedIds } from '../test-support/ask-method.ts'
import type { summarise } from '../tasks/pieces.ts'
import { fakeModels, type FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { summaryIndex } from './summary-index.ts'

type SummariseInput = Parameters<typeof summarise.prompt>[0]

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
const summary: FakeReply = (input) => summaries[(input as SummariseInput).texts[0]?.slice(0, 3) ?? '']

const found = async (reply: FakeReply, text: string, of = chunks) => {
  const models = fakeModels({ replies: { summarise: reply } })
  const index = await summaryIndex.index(of, models, summaryIndex.options.parse({}))
  const passages = await index.retrieve({ id: 'q', text }, { passages: 9, tokens: 99 }, models)
  return { passages, models, warnings: index.warnings?.() }
}

test('ranks chunks of the three documents with the nearest summaries first, each group by cosine', async () => {
  const { passages } = await found(summary, 'rye of the bakery')
  expect(rankedIds(passages).slice(0, 4).toSorted()).toEqual(['c0', 'c1', 'c2', 'c3'])
  expect(rankedIds(passages)[4]).toBe('c5')
  expect(passages[0]).toMatchObject({ from: ['c1'], score: 1, why: { 'rank of document': 1, summary: 'a bakery' } })
})

test('finds a document without a summary by its beginning, and counts truncation', async () => {
  const lost: FakeReply = (input) => {
    if ((input as SummariseInput).texts[0]?.startsWith('riv')) throw new ModelError('refused', 'no')
    return 'a long summary of this document. '.repeat(40)
  }
  const { passages, warnings, models } = await found(
    lost,
    'river',
    chunksOf(`a: 0 ${'oats '.repeat(9000)}`, 'c: 0 river'),
  )
  expect(passages[0]).toMatchObject({ from: ['c1'], why: { summary: 'river' } })
  expect(warnings).toEqual({
    'documents without a summary, which their beginning stands for': 1,
    'summaries that were cut off': 1,
    'documents that were summarised in part': 1,
  })
  expect(models.countTokens((models.calls[0]?.input as SummariseInput).texts[0] ?? '')).toBe(8000)
})
