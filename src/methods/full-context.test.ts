import { expect, test } from 'vitest'
import { ask, chunksOf } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { fullContext } from './full-context.ts'

testMethod(fullContext)
testMethod(fullContext, { options: { window: 1576 } })

const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'b: 0 four five six')

test('gives whole documents without repeating overlaps', async () => {
  const passage = { score: 1, kind: 'chunk' }
  expect((await ask(fullContext, chunks)).passages).toEqual([
    { ...passage, text: 'one two three', from: ['c0', 'c1'], spans: [{ documentId: 'a', start: 0, end: 13 }] },
    { ...passage, text: 'four five six', from: ['c2'], spans: [{ documentId: 'b', start: 0, end: 13 }] },
  ])
})

test.each<[number, string[], number, number]>([
  [6, ['one two three', 'four five six'], 0, 0],
  [5, ['one two three', 'four five'], 1, 1],
  [3, ['one two three'], 3, 1],
  [1, ['one'], 5, 2],
])('truncates the documents after %i tokens and counts the rest', async (tokens, texts, omittedTokens, cutCount) => {
  const { passages, warnings } = await ask(fullContext, chunks, { options: { window: 1536 + tokens } })
  expect(passages.map(({ text }) => text)).toEqual(texts)
  // a chunk that was cut off altogether is not claimed
  expect(passages[0]?.from).toEqual(tokens > 1 ? ['c0', 'c1'] : ['c0'])
  expect(warnings).toEqual({
    'tokens of documents that are not shown': omittedTokens,
    'documents that are not shown to their end': cutCount,
  })
})

test('rejects a window without room for documents', () => {
  expect(fullContext.options.safeParse({ window: 1536 }).error?.issues[0]).toMatchObject({
    path: ['window'],
    message: expect.stringContaining('1536 tokens') as string,
  })
})
