import { describe, expect, test } from 'vitest'
import type { Stop } from '../../records.ts'
import type { Usage } from '../../types.ts'
import { outcomeLines } from '../diff/messages.ts'
import { describeTrial } from './messages.ts'

const usage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
const answer = { text: 'Unanswerable', canned: true } as const

describe.each<[Stop, string]>([
  ['end', 'no context was found'],
  ['tokens', 'the first passage did not fit the budget'],
])('a fixed answer after a context that ends by "%s" (%s)', (stopped, why) => {
  test('is marked in a question view', () => {
    const trial = { corpus: 'c', repeat: 0, context: [], stopped, answer, scores: [] }
    expect(describeTrial({ ...trial, usage: { retrieve: usage, answer: usage } })).toEqual([
      ['answer', [`Unanswerable (fixed answer without a model call: ${why})`]],
    ])
  })

  test('is marked in a comparison of runs', () => {
    const repeats = [{ repeat: 0, stopped, answer }]
    expect(outcomeLines({ repeats, withoutScore: [] }, { kind: 'answer', accepted: [] })).toEqual([
      `Unanswerable (fixed answer without a model call: ${why})`,
    ])
  })
})
