import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UsageLimitError } from '../../errors.ts'
import { limitUsage, type CallTokens, type UsageLimits } from './usage-limit.ts'

const price = { prompt: 1, completion: 10, embedding: 0.5 }

/** Makes calls at once, each of so many tokens at most and half as many in fact; what came of each. */
async function spend(limits: UsageLimits, sizes: readonly number[]) {
  const spending = limitUsage(limits)
  let callCount = 0
  let most = 0
  const pay = spending.payer(price)
  const outcomes = await Promise.allSettled(
    sizes.map((size) =>
      pay(
        () => ({ promptTokens: size }),
        async () => {
          most = Math.max(most, ++callCount)
          await sleep(1)
          return { promptTokens: size / 2 }
        },
        (tokens) => tokens,
      ),
    ),
  )
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  return {
    spending,
    callCount,
    refusals,
    usage: refusals[0] instanceof UsageLimitError ? refusals[0].usage() : undefined,
  }
}

test('a limit of calls allows exactly that many and refuses the rest', async () => {
  const { callCount, refusals, usage, spending } = await spend({ calls: 100 }, Array<number>(163).fill(2))
  expect([callCount, refusals.length]).toEqual([100, 63])
  expect(usage).toMatchObject({ calls: 100, tokens: 100 })
  expect(spending.signal.reason).toBe(refusals[0])
  expect(refusals[0]).toMatchObject({ amount: 'calls', limit: 100, next: 1 })
})

test('a limit of tokens is never exceeded: a call waits for earlier ones that may use less', async () => {
  const { callCount, usage } = await spend({ tokens: 100 }, Array<number>(30).fill(20))
  // nine calls of 10 tokens leave room for one more that turns out to need 10, but might need 20
  expect([callCount, usage?.tokens]).toEqual([9, 90])
})

test('a limit of dollars uses the price of each kind of token', async () => {
  const { callCount, usage } = await spend({ usd: 3 }, [2e6, 2e6, 2e6, 2e6])
  expect([callCount, usage?.usd]).toEqual([2, 2])
  const pay = limitUsage({ usd: 100 }).payer(price)
  const call = (tokens: CallTokens) =>
    pay(
      () => tokens,
      async () => tokens,
      (used) => used,
    )
  await call({ promptTokens: 1e6, completionTokens: 2e6, embeddedTokens: 4e6 })
  const error = (await call({ completionTokens: 1e7 }).catch((failure: unknown) => failure)) as UsageLimitError
  expect(error).toMatchObject({ amount: 'usd', next: 100 })
  expect(error.usage()).toEqual({ calls: 1, tokens: 7e6, usd: 23 })
})

test('a limit stays exceeded: a later smaller call is refused, too', async () => {
  const { callCount, refusals } = await spend({ tokens: 50 }, [40, 60, 2])
  expect([callCount, refusals.length]).toEqual([1, 2])
})

test('counts a failed call without tokens and rethrows its error', async () => {
  const pay = limitUsage({ calls: 1, tokens: 100 }).payer(undefined)
  const failing = (promptTokens: number) =>
    pay(
      () => ({ promptTokens }),
      () => Promise.reject(new Error('down')),
      () => ({}),
    )
  await expect(failing(50)).rejects.toThrow('down')
  await expect(failing(0)).rejects.toMatchObject({ amount: 'calls' })
})
