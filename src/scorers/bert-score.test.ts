import { expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { Answer, Models, Reference } from '../types.ts'
import { bertScore } from './bert-score.ts'

/** Every word has an axis of its own, so that the cosine of two tokens is 1 or 0. */
const models = (): Models => {
  const axes = new Map<string, number>()
  const axisOf = (word: string) => axes.get(word) ?? (axes.set(word, axes.size), axes.size - 1)
  const tokens = (text: string) => ['[CLS]', ...text.split(' ').filter((word) => word !== ''), '[SEP]'].map(axisOf)
  return {
    ...fakeModels(),
    tokenIds: tokens,
    embedTokens: async (text) =>
      tokens(text).map((axis) => Float32Array.from({ length: 20 }, (_, at) => Number(at === axis))),
  }
}

const score = async (
  answer: Partial<Answer>,
  accepted: readonly string[],
  options: object = {},
  references?: readonly string[],
) => {
  const reference: Reference = { kind: 'summary', accepted }
  const asked = { question: { id: 'q', text: '', reference }, context: [], answer: { text: '', ...answer } }
  const found = await bertScore.score(
    { ...asked, ...(references && { references }) },
    models(),
    bertScore.options.parse(options),
  )
  return 'metrics' in found ? found.metrics : found
}
const close = (value: number) => expect.closeTo(value, 6) as number

test('uses the best reference for each of P, R and F', async () => {
  // of "a b c" against "a b": 2 of 3 and 2 of 2; against "a b c d e": 3 of 3 and 3 of 5
  expect(await score({ text: ' a b c ' }, ['a b', 'a b c d e'])).toEqual({
    bertScore: close(0.8),
    bertScorePrecision: close(1),
    bertScoreRecall: close(1),
  })
})

test('weighs rare tokens more with idf', async () => {
  const idf = { a: Math.log(3 / 3), b: Math.log(3 / 2), c: Math.log(3 / 1) }
  expect(await score({ text: 'a b c' }, ['b'], { idf: true }, ['a b', 'a'])).toMatchObject({
    bertScorePrecision: close(idf.b / (idf.a + idf.b + idf.c)),
    bertScoreRecall: close(1),
  })
  expect(await score({ text: 'a' }, ['a'], { idf: true })).toHaveProperty('skipped')
})

test('rescales each number by its baseline, at least -1, not for empty texts', async () => {
  const baseline = { precision: 0.5, recall: 0.8, f1: 0.9 }
  expect(await score({ text: 'a b c' }, ['a b'], { baseline })).toEqual({
    bertScorePrecision: close((2 / 3 - 0.5) / 0.5),
    bertScoreRecall: close(1),
    bertScore: close(-1),
  })
  expect(await score({ text: '' }, ['a b'], { baseline })).toMatchObject({ bertScore: 0, bertScoreRecall: 0 })
})

test('matches special tokens with weight 0', async () => {
  expect(await score({ text: '' }, ['', 'a'])).toMatchObject({ bertScore: 0 })
  expect(await score({ text: 'x' }, ['a'])).toMatchObject({ bertScore: 0 })
})

test('scores a canned answer 0', async () =>
  expect(await score({ text: 'a', canned: true }, ['a'])).toMatchObject({ bertScore: 0 }))

test('declares its needs and notes the embedder', () => {
  expect(bertScore.needs?.(bertScore.options.parse({ idf: true }))).toEqual({
    tokens: true,
    references: true,
  })
  expect(
    bertScore.note?.(bertScore.options.parse({ idf: true }), { embedder: 'minilm m 0123', isJudgeOffline: false }),
  ).toBe('token vectors of minilm m 0123, its last layer, weighed by idf over all references, not rescaled.')
})
