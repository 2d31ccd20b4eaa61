import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { circuitBreaker, maxFailures, type CircuitBreaker, type WorkOutcome } from './circuit-breaker.ts'

type Failure = { readonly of: number }

/** The outcome of each piece of work by its place; undefined for one that did not begin. `slow`: the first end last. */
async function outcomes(count: number, outcomeOf: (place: number) => WorkOutcome<Failure>, slow = false) {
  const breaker = circuitBreaker<Failure>()
  const first = breaker.reserve(count)
  const started: number[] = []
  const refusals = new Set<number | undefined>()
  await Promise.all(
    Array.from({ length: count }, (_, number) =>
      breaker.run(
        first + number,
        async (failure) => {
          if (failure) refusals.add(failure.of)
          else started.push(number)
          await sleep(slow ? (count - number) % 7 : 0)
          return outcomeOf(number)
        },
        (outcome) => outcome,
      ),
    ),
  )
  return { begun: started.sort((a, b) => a - b), refused: [...refusals] }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)

test.each([false, true])('starts only the first pieces if all of them fail (slow: %s)', async (slow) => {
  const all = await outcomes(50, (of) => ({ of }), slow)
  expect(all).toEqual({ begun: numbers(maxFailures), refused: [0] })
})

test('starts all pieces once one is usable', async () => {
  const all = await outcomes(50, (of) => (of === maxFailures - 1 ? 'usable' : { of }))
  expect(all).toEqual({ begun: numbers(50), refused: [] })
})

test.each([false, true])('starts another piece for each neutral one (slow: %s)', async (slow) => {
  const all = await outcomes(50, (of) => (of % 2 === 0 ? 'neutral' : { of }), slow)
  expect(all.refused).toEqual([1])
  expect(all.begun).toEqual(numbers(2 * maxFailures))
})

test('starts all pieces of a group with an earlier usable result, and all waiting ones on release', async () => {
  const runIn = (breaker: CircuitBreaker<Failure>) =>
    breaker.run(
      99,
      async (failure) => failure,
      () => 'neutral',
    )
  expect(await runIn(circuitBreaker(true))).toBeUndefined()
  const openBreaker = circuitBreaker<Failure>()
  const waiting = runIn(openBreaker)
  openBreaker.release()
  expect(await waiting).toBeUndefined()
})
