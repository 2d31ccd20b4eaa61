import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { SpendingLimitError } from '../../errors.ts'
import { spendingWithin, type SpendingLimits } from './spending.ts'

const price = { prompt: 1, completion: 10, embedding: 0.5 }

/** Makes calls at once, each of so many tokens at most and half as many in fact; what came of each. */
async function spend(limits: SpendingLimits, sizes: readonly number[]) {
  const spending = spendingWithin(limits)
  let made = 0
  let most = 0
  const pay = spending.payer(price)
  const ended = await Promise.allSettled(
    sizes.map((size) =>
      pay(
        () => ({ promptTokens: size }),
        async () => {
          most = Math.max(most, ++made)
          await sleep(1)
          return { promptTokens: size / 2 }
        },
        (used) => used,
      ),
    ),
  )
  const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  return { spending, made, refused, spent: refused[0] instanceof SpendingLimitError ? refused[0].spent() : undefined }
}

describe('a limit', () => {
  test('of calls: exactly as many are made, however many are wanted at once; the others are refused', async () => {
    const { made, refused, spent, spending } = await spend({ calls: 100 }, Array<number>(163).fill(2))
    expect([made, refused.length]).toEqual([100, 63])
    expect(spent).toMatchObject({ calls: 100, tokens: 100 })
    expect(spending.signal.reason).toBe(refused[0])
    expect(refused[0]).toMatchObject({ amount: 'calls', limit: 100, next: 1 })
  })

  test('of tokens: a call waits for those before it, which may need less, and none goes beyond the limit', async () => {
    const { made, spent } = await spend({ tokens: 100 }, Array<number>(30).fill(20))
    // nine calls of 10 tokens leave room for one more that turns out to need 10, but might need 20
    expect([made, spent?.tokens]).toEqual([9, 90])
  })

  test('of dollars: by the price of each kind of token, per million', async () => {
    const { made, spent } = await spend({ usd: 3 }, [2e6, 2e6, 2e6, 2e6])
    expect([made, spent?.usd]).toEqual([2, 2])
    const spending = spendingWithin({ usd: 100 })
    const tokens = { promptTokens: 1e6, completionTokens: 2e6, embeddedTokens: 4e6 }
    const once = spending.payer(price)
    await once(
      () => tokens,
      async () => undefined,
      () => tokens,
    )
    const next = once(
      () => ({ completionTokens: 1e7 }),
      async () => undefined,
      () => ({}),
    )
    await expect(next).rejects.toMatchObject({ amount: 'usd', next: 100 })
    expect((await next.catch((error: unknown) => error as SpendingLimitError))?.spent()).toEqual({
      calls: 1,
      tokens: 7e6,
      usd: 23,
    })
  })

  test('that was exceeded once stays so: a smaller call is refused too', async () => {
    const { made, refused } = await spend({ tokens: 50 }, [40, 60, 2])
    expect([made, refused.length]).toEqual([1, 2])
  })
})

test('a call that failed counts as a call without tokens, and its error is thrown', async () => {
  const spending = spendingWithin({ calls: 1, tokens: 100 })
  const pay = spending.payer(undefined)
  const failing = pay(
    () => ({ promptTokens: 50 }),
    () => Promise.reject(new Error('down')),
    () => ({}),
  )
  await expect(failing).rejects.toThrow('down')
  const next = pay(
    () => ({}),
    async () => 1,
    () => ({}),
  )
  await expect(next).rejects.toMatchObject({ amount: 'calls' })
  expect(await next.catch((error: unknown) => error as SpendingLimitError)).toHaveProperty('spent')
})
