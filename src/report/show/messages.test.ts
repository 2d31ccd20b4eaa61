import { expect, test } from 'vitest'
import type { Stop } from '../../records.ts'
import { outcomeLines } from '../diff/messages.ts'

test.each<[Stop, string]>([
  ['end', 'no context was found'],
  ['tokens', 'the first passage did not fit the budget'],
])('marks a fixed answer after a context that ends by "%s" (%s)', (stopped, why) => {
  const repeats = [{ repeat: 0, stopped, answer: { text: 'Unanswerable', canned: true } } as const]
  expect(outcomeLines({ repeats, withoutScore: [] }, { kind: 'answer', accepted: [] })).toEqual([
    `Unanswerable (fixed answer without a model call: ${why})`,
  ])
})
