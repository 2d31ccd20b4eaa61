import { expect, test } from 'vitest'
import type { Reference } from '../../types.ts'
import { referenceText } from './accepted-answers.ts'

test.each<[string, Reference, string | undefined]>([
  ['the right option', { kind: 'choice', options: ['a', 'b'], correct: 1 }, 'b'],
  ['the first summary', { kind: 'summary', accepted: ['a', 'b'] }, 'a'],
  ['the turn', { kind: 'turn', accepted: 'a' }, 'a'],
  ['the first answer', { kind: 'answer', accepted: [{ text: 'a' }, { text: 'b' }] }, 'a'],
  [
    'takes the first reference with an answer',
    {
      kind: 'answer',
      accepted: [
        { text: 'Unanswerable', type: 'unanswerable' },
        { text: 'b', type: 'extractive' },
      ],
    },
    'b',
  ],
  [
    'returns nothing without an answer',
    { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable' }] },
    undefined,
  ],
  ['nothing where nothing is accepted', { kind: 'summary', accepted: [] }, undefined],
])('%s', (_, reference, expected) => {
  expect(referenceText(reference)).toBe(expected)
})
