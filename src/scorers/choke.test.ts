import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { ScorerInput } from '../types.ts'
import { choke } from './choke.ts'

const asked: ScorerInput = {
  question: {
    id: 'q',
    text: 'Who made it?',
    roles: { asks: 'ann', replies: 'bob' },
    reference: { kind: 'turn', accepted: 'Ines did.' },
    evidence: [
      { documentId: 'd', text: 'Ines made the film.' },
      { documentId: 'd', text: 'In 1974.' },
    ],
  },
  context: [],
  answer: { text: 'Ines.' },
}

const judging = (reply: () => unknown) => fakeModels({ replies: { 'judge-turn': reply } })
const score = (reply: () => unknown) => {
  const models = judging(reply)
  return choke.score(asked, models, {}).then((found) => ({ found, calls: models.calls }))
}

test.each([
  ['choke', 0],
  ['inaccurate', 1],
  ['correct', 1],
])('reads the verdict %s with acceptance %i and its reason', async (verdict, acceptance) => {
  const { found, calls } = await score(() => ({ verdict, reason: 'so' }))
  const none = { choke: 0, inaccurate: 0, correct: 0, invalid: 0 }
  expect(found).toEqual({ metrics: { acceptance, ...none, [verdict]: 1 }, parts: { verdict, reason: 'so' } })
  expect(calls.map(({ input }) => input)).toEqual([
    {
      knowledge: 'Ines made the film.\n\nIn 1974.',
      roles: { asks: 'ann', replies: 'bob' },
      message: 'Who made it?',
      reply: 'Ines.',
      gold: 'Ines did.',
    },
  ])
})

test('counts an unreadable verdict as invalid, and rethrows other failures', async () => {
  const { found } = await score(() => ({ verdict: 'perhaps' }))
  expect(found).toMatchObject({ metrics: { acceptance: 0, choke: 0, inaccurate: 0, correct: 0, invalid: 1 } })
  const refused = () => {
    throw new ModelError('refused', 'no')
  }
  await expect(score(refused)).rejects.toThrow('no')
})

test('reads verdicts in capitals and with white space', async () => {
  expect((await score(() => ({ verdict: 'CHOKE ' }))).found).toMatchObject({ metrics: { choke: 1 } })
})
