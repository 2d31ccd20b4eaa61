import { expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { ScorerInput, ContextPassage } from '../types.ts'
import { retrieval } from './retrieval.ts'
import { contextPassage } from '../test-support/context-passage.ts'

const passage = (id: string, score: number, more: Partial<ContextPassage> = {}): ContextPassage => {
  const relevant = ['a1', 'b1'].includes(id) && { relevant: [id] }
  return contextPassage(id, { score, documents: [id.charAt(0)], ...relevant, ...more })
}

const asked = (context: readonly ContextPassage[], more: Partial<ScorerInput> = {}): ScorerInput => ({
  question: {
    id: 'q',
    text: '?',
    reference: { kind: 'turn', accepted: '' },
    evidence: [
      { documentId: 'a', text: 'one' },
      { documentId: 'b', text: 'two' },
    ],
  },
  context,
  answer: { text: '' },
  relevant: ['a1', 'b1'],
  ...more,
})

const score = (one: ScorerInput, unit: 'chunk' | 'document' | 'evidence' = 'chunk', k = [1, 2]) =>
  retrieval.score(one, fakeModels(), { k, unit, show: null })

test('ranks by score, not by context order', async () => {
  const context = [passage('c1', 0.1), passage('a1', 0.5), passage('d1', 0.9)]
  const metrics = { 'recall@1': 0, 'recall@2': 0.5, 'hit@2': 1, 'all-evidence@2': 0, mrr: 0.5, map: 0.25 }
  expect(await score(asked(context))).toMatchObject({ metrics })
})

test('gives summaries an irrelevant rank, and both chunks to a passage that quotes two', async () => {
  const summary = passage('s', 1, { kind: 'summary', from: ['a1'], derived: true })
  const joined = passage('j', 0.9, { from: ['a1', 'b1'], relevant: ['a1', 'b1'] })
  expect(await score(asked([summary, joined, passage('a1', 0.5)]))).toMatchObject({
    metrics: { mrr: 1 / 2, 'recall@2': 0.5 },
  })
})

test('does not count a part of a chunk without the evidence', async () => {
  const elsewhere = passage('j', 1, { from: ['a1', 'c1'], relevant: [] })
  expect(await score(asked([elsewhere, passage('a1', 0.5)]))).toMatchObject({ metrics: { mrr: 1 / 2 } })
  expect(await score(asked([elsewhere]))).toMatchObject({ metrics: { mrr: 0, 'recall@2': 0 } })
})

test('counts documents once, by their best passage', async () => {
  const context = [passage('a7', 0.2), passage('c1', 0.5), passage('a9', 0.9), passage('b1', 0.1)]
  expect(await score(asked(context), 'document', [1, 3])).toMatchObject({
    metrics: { 'recall@1': 0.5, 'recall@3': 1, mrr: 1 },
  })
})

test('measures the coverage of evidence pieces, which have neither nDCG nor MAP', async () => {
  const context = [passage('c1', 0.9, { evidence: [] }), passage('a1', 0.5, { evidence: [1] }), passage('a2', 0.1)]
  const metrics = { 'recall@1': 0, 'recall@9': 0.5, 'precision@9': 1 / 9, 'hit@2': 1, 'all-evidence@9': 0, mrr: 0.5 }
  const found = await score(asked(context), 'evidence', [1, 2, 9])
  expect(found).toMatchObject({ metrics })
  expect(JSON.stringify(found)).not.toMatch(/ndcg|map/)
})

const units = ['chunk', 'document', 'evidence'] as const
const { evidence = [], ...bare } = asked([]).question

test.each<[string, Partial<ScorerInput>]>([
  ['the dataset gives no evidence for this question', { question: bare }],
  ['no evidence supports an answer', { question: { ...bare, evidence: [] } }],
  ['no chunk overlaps the evidence', { relevant: [] }],
])('gives the reason of a skip: %s', async (skipped, more) => {
  expect(await score(asked([], more))).toEqual({ skipped })
})

test.each(units)('skips questions with a piece of evidence in no document (%s)', async (unit) => {
  const missing = [...evidence, { documentId: 'c', text: 'three', missing: true as const }]
  const found = asked([passage('a1', 1), passage('b1', 0.5)], { question: { ...bare, evidence: missing } })
  expect(await score(found, unit)).toEqual({ skipped: 'its evidence is not in the documents' })
})

test('counts evidence outside the corpus as not retrieved', async () => {
  const question = { ...asked([]).question, notInCorpus: { gone: 2 } }
  for (const unit of units)
    expect(await score(asked([passage('a1', 1, { evidence: [0] })], { question }), unit)).toMatchObject({
      metrics: { 'recall@1': 1 / 3, mrr: 1, 'all-evidence@2': 0 },
    })
})

test('scores 0 if judged without relevant items', async () => {
  const question = { ...asked([]).question, evidence: [], notRelevant: { a: 0 } }
  for (const unit of units) {
    const given = await score(asked([passage('c1', 1)], { question, relevant: [] }), unit)
    expect(Object.values('metrics' in given ? given.metrics : { none: NaN })).toSatisfy((values: number[]) =>
      values.every((value) => value === 0),
    )
  }
})

test('skips a context without ranks', async () => {
  const whole = asked([passage('c1', 1), passage('a1', 1)])
  expect(await score(whole)).toHaveProperty('metrics')
  for (const unit of units)
    expect(await score({ ...whole, ranked: false }, unit)).toEqual({
      skipped: 'the method does not rank its context',
    })
})

test('has one recall column per distinct k', () => {
  const shown = (options: object) => {
    const { columns } = retrieval
    if (typeof columns !== 'function') throw new Error('columns depend on k')
    const all = columns(retrieval.options.parse(options))
    return all.flatMap(({ metric, shown: isShown }) => (isShown === false ? [] : [metric]))
  }
  expect(shown({})).toEqual(['recall@2', 'recall@5', 'mrr'])
  expect(shown({ k: [1, 3, 3] })).toEqual(['recall@1', 'recall@3', 'mrr'])
  expect(shown({ k: [10], show: ['ndcg@10', 'map'] })).toEqual(['ndcg@10', 'map'])
  expect(() => shown({ k: [10], show: ['ndcg@5'] })).toThrow('must be one of recall@10, precision@10')
})

test('uses grades in nDCG; all-evidence needs every relevant document in the first k', async () => {
  const graded = asked([passage('a1', 0.9), passage('b1', 0.5)], {
    question: {
      ...asked([]).question,
      evidence: [{ documentId: 'a' }, { documentId: 'b', grade: 3 }],
    },
  })
  const log3 = Math.log2(3)
  expect(await score(graded, 'document')).toMatchObject({
    metrics: { 'ndcg@2': (1 + 3 / log3) / (3 + 1 / log3), 'all-evidence@1': 0, 'all-evidence@2': 1, map: 1 },
  })
  expect(await score({ ...graded, grades: [1, 3] })).toMatchObject({
    metrics: { 'ndcg@2': (1 + 3 / log3) / (3 + 1 / log3) },
  })
})

test('scores the ranking without answers', async () => {
  const ranking = [passage('c1', 0.9), { from: ['a1'], score: 0.5, kind: 'chunk' as const, relevant: ['a1'] }]
  expect(await score(asked([passage('c1', 0.9)], { ranking }))).toMatchObject({ metrics: { mrr: 0.5 } })
})
