import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDataset } from '../../define.ts'
import type { Corpus, Dataset, Question } from '../../types.ts'
import { checkDataset } from './check.ts'

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  text: 'Who?',
  reference: { kind: 'turn', accepted: 'Me.' },
  ...more,
})
const document = (id: string, text = 'Words.') => ({ id, text })
const corpus = (id: string, questions: readonly Question[], documents = [document('d')]): Corpus => ({
  id,
  documents,
  questions,
})

const holding = (corpora: readonly Corpus[], evidence = false): Dataset<object> =>
  defineDataset({
    name: 'toy',
    summary: 'A toy.',
    source: 'none',
    licence: 'none',
    options: z.strictObject({}),
    evidence,
    files: async () => ['toy.json'],
    async *corpora() {
      yield* corpora
    },
  })

test('counts corpora, documents, questions and tags, without origins', async () => {
  const corpora = [
    corpus('a', [question('1', { tags: ['set:x', 'hard'] }), question('2', { tags: ['set:x', 'early'] })]),
    corpus('b', [question('3', { tags: ['hard'] })], [document('d'), document('e')]),
    corpus('c', []),
  ]
  const counts = await checkDataset(holding(corpora), '', {})
  expect(JSON.stringify(counts)).toBe('{"corpora":3,"documents":4,"questions":3,"tags":{"early":1,"hard":2}}')
})

const steps = {
  decomposition: [
    { question: 'a', answer: 'b' },
    { question: 'c', answer: 'd', documentId: 'x' },
  ],
}
test.each<[string, Corpus[]]>([
  ['corpus "a": two corpora have this id', [corpus('a', []), corpus('a', [])]],
  ['corpus "a": has no documents', [corpus('a', [], [])]],
  ['corpus "a": two documents have the id "d"', [corpus('a', [], [document('d'), document('d')])]],
  ['question "1" has a step in "x", which is not a document', [corpus('a', [question('1', steps)])]],
  [
    'has no option 2',
    [corpus('a', [question('1', { reference: { kind: 'choice', options: ['a', 'b'], correct: 2 } })])],
  ],
])('refuses: %s', async (message, corpora) => {
  await expect(checkDataset(holding(corpora), '', {})).rejects.toThrow(message)
  await expect(checkDataset(holding(corpora), '', {})).rejects.toThrow(/^toy\.json: corpus /)
})

test('requires an evidence field, which may be empty, if the dataset promises evidence', async () => {
  await expect(checkDataset(holding([corpus('a', [question('1')])], true), '', {})).rejects.toThrow(
    'has no list of evidence',
  )
  const counts = await checkDataset(holding([corpus('a', [question('1', { evidence: [] })])], true), '', {})
  expect(counts.questions).toBe(1)
})
