import { expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { ContextPassage } from '../types.ts'
import { summaryShare } from './summary-share.ts'
import { contextPassage } from '../test-support/context-passage.ts'

const passage = (kind: ContextPassage['kind']): ContextPassage => contextPassage(kind, { kind })
const score = (...kinds: ContextPassage['kind'][]) =>
  summaryShare.score(
    {
      question: { id: 'q', text: '?', reference: { kind: 'turn', accepted: '' } },
      context: kinds.map(passage),
      answer: { text: '' },
    },
    fakeModels(),
    {},
  )

test('counts summaries among all passages, without facts', async () => {
  expect(await score('summary', 'chunk', 'facts', 'chunk')).toEqual({
    metrics: { summaryShare: 0.25, summaries: 1, passages: 4 },
  })
  expect(await score('chunk')).toEqual({ metrics: { summaryShare: 0, summaries: 0, passages: 1 } })
})

test('skips an empty context', async () => {
  expect(await score()).toEqual({ skipped: 'the context is empty' })
})
