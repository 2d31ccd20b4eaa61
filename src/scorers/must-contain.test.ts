import { expect, test } from 'vitest'
import type { Question } from '../types.ts'
import { mustContain } from './must-contain.ts'

const score = (fields: Partial<Question>, text: string, canned?: true) =>
  mustContain.score(
    {
      question: { id: 'q', text: 'How long?', reference: { kind: 'answer', accepted: [] }, ...fields },
      context: [],
      answer: { text, ...(canned && { canned }) },
    },
    {} as never,
    {},
  )

test.each([
  [
    'the answer contains every text, in another case and spacing',
    { mustContain: ['28 days', 'refund'] },
    'A REFUND within 28\n days.',
    1,
    1,
  ],
  ['one of two texts is missing', { mustContain: ['28 days', 'refund'] }, 'Within 28 days.', 0, 0.5],
  [
    'the answer contains a forbidden text',
    { mustContain: ['28 days'], mustNotContain: ['30 days'] },
    '28 days, not 30 days.',
    0,
    0.5,
  ],
  ['no forbidden text is there', { mustNotContain: ['30 days'] }, '28 days.', 1, 1],
] as const)('%s', async (_name, fields, text, passed, share) => {
  expect(await score(fields, text)).toMatchObject({ metrics: { passed, share } })
})

test('a canned answer contains nothing', async () => {
  expect(await score({ mustContain: ['no'], mustNotContain: ['context'] }, 'There is no context.', true)).toMatchObject(
    {
      metrics: { passed: 0, share: 0.5 },
      parts: { missing: ['no'], forbidden: [] },
    },
  )
})

test('a question without assertions is skipped', async () => {
  expect(await score({}, 'Any answer.')).toHaveProperty('skipped')
})
