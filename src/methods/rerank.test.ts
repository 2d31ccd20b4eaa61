import { describe, expect, test } from 'vitest'
import { ask, asking, documentOf, failing, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels, type FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import type { rankPassages } from '../tasks/searching.ts'
import { readPermutation, rerank } from './rerank.ts'

testMethod(await asking(rerank, 'bm25'))
testMethod(await asking(rerank, 'vector'), { options: { by: 'pointwise', depth: 2 } })
testMethod(await asking(rerank, { use: 'rerank' }))

const texts = ['mill a', 'mill b', 'mill c', 'mill d']
const chunks = documentOf(...texts)

const rerankedBy = async (options: object, replies: Readonly<Record<string, FakeReply>>, of = chunks) => {
  const { passages: found, calls } = await ask(await asking(rerank, 'bm25'), of, { text: 'mill', options, replies })
  return { found, calls }
}

describe('listwise', () => {
  test('reorders one window by the reply and records the previous rank', async () => {
    const { found } = await rerankedBy({}, { 'rank-passages': () => '[3] > [1] > [4] > [2]' })
    expect(rankedIds(found)).toEqual(['c2', 'c0', 'c3', 'c1'])
    expect(found[0]).toMatchObject({ score: 1, why: { 'rank before': 3 } })
  })

  test('slides windows from the end to the beginning, so that the best passage rises', async () => {
    const seen: (readonly string[])[] = []
    const last = ({ passages }: Parameters<typeof rankPassages.prompt>[0]): string => {
      seen.push(passages)
      return passages.map((_, at) => `[${passages.length - at}]`).join(' > ')
    }
    const many = Array.from({ length: 25 }, (_, at) => `mill ${at}`)
    const { found } = await rerankedBy({}, { 'rank-passages': last }, documentOf(...many))
    expect(seen).toEqual([many.slice(5), [...many.slice(0, 5), ...many.slice(15).reverse()]])
    expect(rankedIds(found).slice(0, 12)).toEqual(['c15', 'c16', 'c17', 'c18', 'c19', 'c20', 'c21', 'c22', 'c23', 'c24', 'c4', 'c3']) // prettier-ignore
  })

  test.each([
    ['[2] > [2] > [9] > [1]', [1, 0, 2], true],
    ['2, 3, 1', [1, 2, 0], false],
    ['The best is [3].', [2, 0, 1], true],
    ['[1] > [2] > [3] > [3]', [0, 1, 2], true],
  ])('reads %s as the order %j', (reply, places, isRepaired) => {
    expect(readPermutation(reply, 3)).toEqual({ places, isRepaired })
  })

  test('keeps the order of a window after a failed reply, and reports it', async () => {
    const { found } = await rerankedBy({}, { 'rank-passages': failing('refused') })
    expect(rankedIds(found)).toEqual(['c0', 'c1', 'c2', 'c3'])
    expect(found[0]?.why).toMatchObject({ fallback: 'the order of a window was refused' })
  })

  test.each([
    ['[2] > [2] > [9]', 'the order of a window was repaired'],
    ['[2] > [1] > [3] > [4]', undefined],
  ])('%s: reports whether the order was repaired', async (reply, said) => {
    const { found } = await rerankedBy({}, { 'rank-passages': () => reply })
    expect(found[0]?.why?.['fallback']).toBe(said)
  })
})

test('puts helpful passages first, each group in its order (pointwise)', async () => {
  const helps = ({ passage }: { passage: string }) => (/[bd]/.test(passage) ? 'Yes.' : 'no')
  const { found } = await rerankedBy({ by: 'pointwise' }, { 'judge-relevance': helps })
  expect(rankedIds(found)).toEqual(['c1', 'c3', 'c0', 'c2'])
  expect(found.map(({ why }) => why?.['helps'])).toEqual([true, true, false, false])
})

describe('by a rerank model', () => {
  const scores: Readonly<Record<string, number>> = { 'mill a': 0, 'mill b': 2, 'mill c': 2, 'mill d': -1 }
  const byModel = { by: 'model' }
  const ranking = async (by: (texts: readonly string[]) => readonly { score: number; unread: number }[]) => {
    const asked: (readonly string[])[] = []
    const models = {
      ...fakeModels(),
      rerank: async (_question: string, texts: readonly string[]) => (asked.push(texts), by(texts)),
    }
    const { passages } = await ask(await asking(rerank, 'bm25'), chunks, { text: 'mill', options: byModel, models })
    return { found: passages, asked }
  }
  const scored = (texts: readonly string[]) =>
    texts.map((text) => ({ score: scores[text] ?? NaN, unread: text.endsWith('d') ? 3 : 0 }))

  test('sorts by score with stable ties, and reports truncated texts', async () => {
    const { found, asked } = await ranking(scored)
    expect(rankedIds(found)).toEqual(['c1', 'c2', 'c0', 'c3'])
    expect(found.at(-1)?.why).toMatchObject({ 'rank before': 4, relevance: -1, unread: 3 })
    expect(asked).toEqual([texts])
    expect(found[0]?.why).toMatchObject({ fallback: 'passages that the rerank model read in part' })
  })

  test('fails the question after a failed call, and names the missing rerank model', async () => {
    await expect(ranking(failing('network'))).rejects.toThrow('played network')
    const found = ask(await asking(rerank, 'bm25'), chunks, { text: 'mill', options: byModel })
    await expect(found).rejects.toThrow('give models.rerank')
    expect(await rerank.requires?.(rerank.options.parse(byModel))).toEqual({ rerank: true })
  })
})

test('keeps passages after the depth in place and out of the prompt', async () => {
  const { found, calls } = await rerankedBy({ depth: 2 }, { 'rank-passages': () => '[2] > [1]' })
  expect(rankedIds(found)).toEqual(['c1', 'c0', 'c2', 'c3'])
  expect(calls).toHaveLength(1)
})
