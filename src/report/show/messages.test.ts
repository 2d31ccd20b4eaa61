import { expect, test } from 'vitest'
import type { Stop } from '../../records.ts'
import { describeOutcome } from './messages.ts'

test.each<[Stop, string]>([
  ['end', 'no context was found'],
  ['tokens', 'the first passage did not fit the budget'],
])('marks a fixed answer after a context that ends by "%s" (%s)', (stopped, why) => {
  expect(describeOutcome({ stopped, answer: { text: 'Unanswerable', canned: true } })).toBe(
    `Unanswerable (fixed answer without a model call: ${why})`,
  )
})
