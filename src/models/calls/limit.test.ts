import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limit } from './limit.ts'
import type { Send } from './retry.ts'

const straight: Send = (attempt) => attempt(new AbortController().signal)
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('never more calls than places, in the order they came, and failures free their place', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(fc.nat(4), { maxLength: 30 }), async (places, turns) => {
      const send = limit(places, straight)
      const began: number[] = []
      let busy = 0
      let busiest = 0
      const outcomes = await Promise.allSettled(
        turns.map((length, index) =>
          send(async () => {
            began.push(index)
            busiest = Math.max(busiest, ++busy)
            for (let left = length; left >= 0; left--) await turn()
            busy--
            if (length === 3) throw new Error('three')
            return index
          }),
        ),
      )
      expect(busiest).toBe(Math.min(places, turns.length))
      expect(began).toEqual(turns.map((_, index) => index))
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(turns.map((length) => length === 3))
    }),
    { numRuns: 40 },
  ))
