import { expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { AcceptedAnswer, ScorerInput } from '../types.ts'
import { musique } from './musique.ts'
import { contextPassage } from '../test-support/context-passage.ts'

const asked = (
  text: string,
  golds: readonly AcceptedAnswer[],
  documents: string[][] = [],
  evidence?: string[],
): ScorerInput => ({
  question: {
    id: 'q',
    text: '?',
    reference: { kind: 'answer', accepted: golds },
    ...(evidence && { evidence: evidence.map((documentId) => ({ documentId })) }),
  },
  context: documents.map((all, rank) => contextPassage('', { score: -rank, documents: all })),
  answer: { text },
})

const score = (one: ScorerInput) => musique.score(one, fakeModels(), musique.options.parse({}))
const texts = (...all: string[]) => all.map((text) => ({ text }))

test('predicts each document of the context once', async () => {
  const context = [['d0'], ['d0', 'd1'], [], ['d4']]
  const metrics = { exactMatch: 1, f1: 1, supportEM: 0, supportF1: 0.8 }
  expect(await score(asked('x', texts('x'), context, ['d0', 'd1', 'd1']))).toEqual({ metrics })
  expect(await score(asked('x', texts('x'), [], ['d0']))).toMatchObject({ metrics: { supportF1: 0 } })
  expect(await score(asked('x', texts('x'), [['d1'], ['d0']], ['d0', 'd1']))).toMatchObject({
    metrics: { supportEM: 1 },
  })
})

test('omits support scores without evidence', async () => {
  for (const evidence of [undefined, []])
    expect(await score(asked('x', texts('x'), [['d0']], evidence))).toEqual({ metrics: { exactMatch: 1, f1: 1 } })
})

test('scores the answer but not the support if evidence is missing', async () => {
  const one = asked('x', texts('x'), [['d0']], ['d0'])
  const evidence = [...(one.question.evidence ?? []), { documentId: '', text: 'gone', missing: true as const }]
  expect(await score({ ...one, question: { ...one.question, evidence } })).toEqual({
    metrics: { exactMatch: 1, f1: 1 },
  })
})

test('scores a canned answer 0', async () => {
  const one = {
    ...asked('Unanswerable', texts('Unanswerable')),
    answer: { text: 'Unanswerable', canned: true },
  } as const
  expect(await score(one)).toMatchObject({ metrics: { exactMatch: 0, f1: 0 } })
})

test('predicts the document of a summary only if it has one', async () => {
  const one = asked('x', texts('x'), [['d0'], ['d1', 'd2'], ['d3']], ['d0', 'd1'])
  const context = one.context.map((passage) => ({ ...passage, derived: true as const }))
  expect(await score({ ...one, context })).toMatchObject({ metrics: { supportF1: 0.5 } })
})

test('skips questions without an answer', async () => {
  const nobody = asked('Unanswerable', [{ text: 'Unanswerable', type: 'unanswerable' }])
  expect(await score(nobody)).toEqual({ skipped: 'the question has no reference answer' })
})
