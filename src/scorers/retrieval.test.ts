import { describe, expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { Asked, ContextPassage } from '../types.ts'
import { retrieval } from './retrieval.ts'

const passage = (id: string, score: number, more: Partial<ContextPassage> = {}): ContextPassage => ({
  text: id,
  score,
  from: [id],
  kind: 'chunk',
  tokens: 1,
  documents: [id.charAt(0)],
  ...more,
})

const asked = (context: readonly ContextPassage[], more: Partial<Asked> = {}): Asked => ({
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

const score = (one: Asked, unit: 'chunk' | 'document' | 'evidence' = 'chunk', k = [1, 2]) =>
  retrieval.score(one, fakeModels(), { k, unit })

describe('retrieval', () => {
  test('ranks by score, whatever the order of the context', async () => {
    expect(await score(asked([passage('c1', 0.1), passage('a1', 0.5), passage('d1', 0.9)]))).toEqual({
      metrics: {
        'recall@1': 0,
        'recall@2': 0.5,
        'precision@1': 0,
        'precision@2': 0.5,
        'hit@1': 0,
        'hit@2': 1,
        'ndcg@1': 0,
        'ndcg@2': 1 / Math.log2(3) / (1 + 1 / Math.log2(3)),
        mrr: 0.5,
        map: 0.25,
      },
    })
  })

  test('ties go by id, descending', async () => {
    expect(await score(asked([passage('a1', 1), passage('z1', 1)]))).toMatchObject({ metrics: { mrr: 0.5 } })
  })

  test('a summary takes a rank and is never relevant; what quotes two chunks retrieves both', async () => {
    const summary = passage('s', 1, { kind: 'summary', from: ['a1'] })
    const joined = passage('j', 0.9, { from: ['a1', 'b1'] })
    expect(await score(asked([summary, joined, passage('a1', 0.5)]))).toMatchObject({
      metrics: { mrr: 1 / 2, 'recall@2': 0.5 },
    })
  })

  test('a chunk given twice counts once, by its best score', async () => {
    expect(await score(asked([passage('a1', 0.1), passage('c1', 0.5), passage('a1', 0.9)]))).toMatchObject({
      metrics: { 'recall@1': 0.5, 'recall@2': 0.5, 'precision@2': 0.5 },
    })
  })

  test('documents count once, by their best passage', async () => {
    const context = [passage('a7', 0.2), passage('c1', 0.5), passage('a9', 0.9), passage('b1', 0.1)]
    expect(await score(asked(context), 'document', [1, 3])).toMatchObject({
      metrics: { 'recall@1': 0.5, 'recall@3': 1, mrr: 1 },
    })
  })

  test('evidence is covered piece by piece', async () => {
    const context = [passage('c1', 0.9, { evidence: [] }), passage('a1', 0.5, { evidence: [1] }), passage('a2', 0.1)]
    expect(await score(asked(context), 'evidence', [1, 2, 9])).toEqual({
      metrics: {
        'recall@1': 0,
        'recall@2': 0.5,
        'recall@9': 0.5,
        'precision@1': 0,
        'precision@2': 0.5,
        'precision@9': 1 / 9,
        'hit@1': 0,
        'hit@2': 1,
        'hit@9': 1,
        mrr: 0.5,
      },
    })
  })

  test('an empty context finds nothing', async () => {
    expect(await score(asked([]))).toMatchObject({ metrics: { 'recall@2': 0, mrr: 0, 'ndcg@2': 0 } })
  })

  test('says why it does not apply', async () => {
    const { evidence, ...question } = asked([]).question
    expect(evidence).toHaveLength(2)
    expect(await score(asked([], { question }))).toEqual({
      skipped: 'the dataset names no evidence for this question',
    })
    expect(await score(asked([], { question: { ...question, evidence: [] } }))).toEqual({
      skipped: 'no evidence supports an answer',
    })
    expect(await score(asked([], { relevant: [] }))).toEqual({ skipped: 'no chunk overlaps the evidence' })
  })
})
