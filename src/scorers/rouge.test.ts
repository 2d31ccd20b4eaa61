import { expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { Answer, Reference } from '../types.ts'
import { rouge } from './rouge.ts'

const score = async (answer: Partial<Answer>, accepted: readonly string[], options: object = {}) => {
  const reference: Reference = { kind: 'summary', accepted }
  const asked = { question: { id: 'q', text: '', reference }, context: [], answer: { text: '', ...answer } }
  const found = await rouge.score(asked, fakeModels(), rouge.options.parse(options))
  return 'metrics' in found ? found.metrics : found
}

test('uses the best reference for each metric separately', async () => {
  // against "a b": P 2/4, R 2/2; against "a b c d e f g h": P 4/4, R 4/8
  const found = await score({ text: 'a b c d' }, ['a b', 'a b c d e f g h'])
  expect(found).toMatchObject({ rouge1: 2 / 3, rouge1Precision: 1, rouge1Recall: 1 })
  expect(found).toMatchObject({ rouge2: expect.closeTo(0.6, 12) as number, rouge2Precision: 1, rouge2Recall: 1 })
})

test('lowers L for another order of words; Lsum accepts lines in any order', async () => {
  const asked = ['The dog ran.\nA cat sat.']
  expect(await score({ text: 'A cat sat.\nThe dog ran.' }, asked)).toMatchObject({ rougeL: 0.5, rougeLsum: 1 })
  const oneLine = { text: 'A cat sat. The dog ran.' }
  expect(await score(oneLine, asked)).toMatchObject({ rougeL: 0.5, rougeLsum: 1 })
  expect(await score(oneLine, ['The dog ran. A cat sat.'])).toMatchObject({ rougeLsum: 0.5 })
})

test('stems words unless the option is off', async () => {
  expect(await score({ text: 'engines running' }, ['engine runs'])).toMatchObject({ rouge1: 1 })
  expect(await score({ text: 'engines running' }, ['engine runs'], { stemmer: false })).toMatchObject({ rouge1: 0 })
})

test('scores a canned answer 0', async () => {
  const canned = { text: 'Unanswerable', canned: true } as const
  expect(await score(canned, ['unanswerable'])).toMatchObject({ rougeL: 0, rougeLsumRecall: 0 })
})

test('skips a question without a reference', async () => {
  expect(await score({ text: 'a' }, [])).toEqual({ skipped: 'the question has no reference answer' })
})
