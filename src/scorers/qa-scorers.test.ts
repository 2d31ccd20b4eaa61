import { describe, expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import { paragraphKey } from '../text/sentences.ts'
import type { AcceptedAnswer, Answer, ScorerInput, ContextPassage, Reference, Scorer } from '../types.ts'
import { accuracy } from './accuracy.ts'
import { qasperF1 } from './qasper-f1.ts'
import { squad } from './squad.ts'
import { contextPassage } from '../test-support/context-passage.ts'

const asked = (reference: Reference, answer: Answer, context: readonly ContextPassage[] = []): ScorerInput => ({
  question: { id: 'q', text: '?', reference },
  context,
  answer,
})

const free = (...accepted: AcceptedAnswer[]): Reference => ({ kind: 'answer', accepted })

const passage = (...paragraphs: string[]): ContextPassage =>
  contextPassage('', { paragraphs: paragraphs.map(paragraphKey) })

test.each<[string, Answer, Record<string, number>]>([
  ['right', { text: 'B', choice: 1 }, { accuracy: 1, sat: 1, abstained: 0, unreadable: 0 }],
  ['wrong', { text: 'A', choice: 0 }, { accuracy: 0, sat: -1 / 3, abstained: 0, unreadable: 0 }],
  ['unreadable', { text: 'Hm', choice: null }, { accuracy: 0, sat: 0, abstained: 1, unreadable: 1 }],
  ['without a choice', { text: 'Hm' }, { accuracy: 0, sat: 0, abstained: 1, unreadable: 1 }],
  ['canned', { text: '', choice: null, canned: true }, { accuracy: 0, sat: 0, abstained: 1, unreadable: 0 }],
])('accuracy of an answer that is %s', async (_, answer, metrics) => {
  const reference: Reference = { kind: 'choice', options: ['A', 'B', 'C', 'D'], correct: 1 }
  expect(await accuracy.score(asked(reference, answer), fakeModels(), {})).toEqual({ metrics })
})

describe('qasper-f1', () => {
  const score = (one: ScorerInput, textEvidenceOnly = false) =>
    qasperF1.score(one, fakeModels(), qasperF1.options.parse({ textEvidenceOnly }))
  const evidence = (...texts: string[]) => texts.map((text) => ({ documentId: 'd', text }))

  test('scores answer and evidence against the best annotator each', async () => {
    const reference = free(
      { text: 'blue whale', type: 'extractive', evidence: evidence('p', 'q') },
      { text: 'whale', type: 'abstractive', evidence: evidence('p') },
    )
    expect(await score(asked(reference, { text: 'The blue whale.' }, [passage('p', 'x')]))).toEqual({
      metrics: { answerF1: 1, evidenceF1: 2 / 3 },
      subsets: ['type:extractive'],
    })
  })

  test('predicts a paragraph of two passages once', async () => {
    const reference = free({ text: 'x', evidence: evidence('p') })
    expect(await score(asked(reference, { text: 'x' }, [passage('p'), passage('p')]))).toMatchObject({
      metrics: { evidenceF1: 1 },
    })
  })

  test('scores 1 for an empty context without evidence', async () => {
    const reference = free({ text: 'Unanswerable', type: 'unanswerable', evidence: evidence('p') })
    expect(await score(asked(reference, { text: 'unanswerable!' }))).toMatchObject({
      metrics: { answerF1: 1, evidenceF1: 1 },
    })
  })

  test('counts figures as evidence unless textEvidenceOnly is set', async () => {
    const reference = free({ text: 'x', evidence: evidence('p', 'FLOAT SELECTED: Table 1') })
    const one = asked(reference, { text: 'x' }, [passage('p')])
    expect(await score(one)).toMatchObject({ metrics: { evidenceF1: 2 / 3 } })
    expect(await score(one, true)).toMatchObject({ metrics: { evidenceF1: 1 } })
  })

  test('omits evidence F1 without evidence by annotator', async () => {
    expect(await score(asked(free({ text: 'x' }), { text: 'x' }, [passage('p')]))).toEqual({ metrics: { answerF1: 1 } })
  })
})

describe('squad', () => {
  const score = (one: ScorerInput, version: 1.1 | 2) => squad.score(one, fakeModels(), squad.options.parse({ version }))
  const nobody = free({ text: 'Unanswerable', type: 'unanswerable' })

  test.each([
    ['Unanswerable', 1],
    ['', 1],
    ['a cat', 0],
  ])('2.0: to a question without an answer %j scores %d', async (text, value) => {
    expect(await score(asked(nobody, { text }), 2)).toEqual({
      metrics: { exactMatch: value, f1: value },
      subsets: ['unanswerable'],
    })
  })

  test('scores "unanswerable" as a word in 1.1, as no answer in 2.0', async () => {
    expect(await score(asked(nobody, { text: 'unanswerable' }), 1.1)).toEqual({ metrics: { exactMatch: 1, f1: 1 } })
    expect(await score(asked(free({ text: 'cat' }), { text: 'Unanswerable' }), 2)).toEqual({
      metrics: { exactMatch: 0, f1: 0 },
      subsets: ['answerable'],
    })
  })
})

describe('a canned answer', () => {
  const canned = { text: 'Unanswerable', canned: true } as const
  const nobody = free({ text: 'Unanswerable', type: 'unanswerable', evidence: [] })
  const somebody = free({ text: 'Unanswerable', type: 'unanswerable' }, { text: 'cat', type: 'extractive' })
  const scorers: readonly (readonly [string, Scorer, object])[] = [
    ['qasper-f1', qasperF1, {}],
    ['squad', squad, {}],
    ['squad 2.0', squad, { version: 2 }],
  ]
  const score = async (scorer: Scorer, one: ScorerInput, options: object) => {
    const scored = await scorer.score(one, fakeModels(), scorer.options.parse(options))
    return 'metrics' in scored ? Object.values(scored.metrics) : []
  }

  test.each(scorers)('%s: scores 0 with or without a reference answer', async (_, scorer, options) => {
    for (const reference of [nobody, somebody])
      for (const value of await score(scorer, asked(reference, canned), options)) expect(value).toBe(0)
  })

  test.each(scorers)("%s: scores like a model's answer with creditCanned", async (_, scorer, options) => {
    const given = await score(scorer, asked(nobody, { text: 'Unanswerable' }), options)
    expect(given).toEqual(given.map(() => 1))
    expect(await score(scorer, asked(nobody, canned), { ...options, creditCanned: true })).toEqual(given)
  })

  test.each(scorers)('%s: scores too if the method has no context on purpose', async (_, scorer, options) => {
    const oracle = { ...asked(nobody, canned), ranked: false } as const
    expect(await score(scorer, oracle, options)).toEqual(
      await score(scorer, asked(nobody, { text: 'Unanswerable' }), options),
    )
  })
})
