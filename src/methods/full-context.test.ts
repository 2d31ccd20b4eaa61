import { describe, expect, test } from 'vitest'
import { ask, chunksOf } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { fullContext } from './full-context.ts'

testMethod(fullContext)
testMethod(fullContext, { options: { window: 1576 } })

describe('full-context', () => {
  const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'b: 0 four five six')

  test('gives whole documents without repeating overlaps', async () => {
    expect(await ask(fullContext, chunks, {})).toEqual([
      {
        text: 'one two three',
        score: 1,
        from: ['c0', 'c1'],
        kind: 'chunk',
        spans: [{ documentId: 'a', start: 0, end: 13 }],
      },
      {
        text: 'four five six',
        score: 1,
        from: ['c2'],
        kind: 'chunk',
        spans: [{ documentId: 'b', start: 0, end: 13 }],
      },
    ])
  })

  test.each<[number, string[], number]>([
    [6, ['one two three', 'four five six'], 0],
    [5, ['one two three', 'four five'], 1],
    [3, ['one two three'], 3],
    [1, ['one'], 5],
  ])('truncates the context after %i tokens', async (tokens, texts, leftOut) => {
    const found = await ask(fullContext, chunks, { options: { window: 1536 + tokens } })
    expect(found.map(({ text }) => text)).toEqual(texts)
    // a chunk that was cut off altogether is not claimed
    expect(found[0]?.from).toEqual(tokens > 1 ? ['c0', 'c1'] : ['c0'])
    expect(found.at(-1)?.why).toEqual(leftOut > 0 ? { tokensLeftOut: leftOut, tokens: 6 } : undefined)
  })
})

describe('full-context of a window', () => {
  const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'b: 0 four five six')
  const indexOf = (given: object) =>
    Promise.resolve(fullContext.index(chunks, fakeModels(), fullContext.options.parse(given)))

  test('reserves room for prompt and reply, and counts omitted tokens', async () => {
    const cut = await indexOf({ window: 1541 })
    const passages = await cut.retrieve({ id: 'q', text: 'Why?' }, { passages: 9, tokens: 9 }, fakeModels())
    expect(passages.map(({ text }) => text)).toEqual(['one two three', 'four five'])
    expect(passages.at(-1)?.why).toEqual({ tokensLeftOut: 1, tokens: 6 })
    expect(cut.stats?.()).toEqual({ documents: 2, tokens: 6, tokensLeftOut: 1 })
    expect(cut.warnings?.()).toEqual({
      'tokens of documents that are not shown': 1,
      'documents that are not shown to their end': 1,
    })
    expect((await indexOf({ window: 8192 })).warnings?.()).toEqual({
      'tokens of documents that are not shown': 0,
      'documents that are not shown to their end': 0,
    })
    expect((await indexOf({})).warnings).toBeUndefined()
  })

  test('rejects a window without room for documents', () => {
    expect(fullContext.options.safeParse({ window: 1536 }).error?.issues[0]).toMatchObject({
      path: ['window'],
      message: 'must be larger than the 1536 tokens that are kept free, or nothing of the documents is shown',
    })
  })
})
