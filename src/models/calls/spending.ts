import { dollars } from '../../basics/dollars.ts'
import { SpendingLimitError, type LimitedAmount, type Spent } from '../../errors.ts'
import type { CallOptions } from '../provider.ts'

/** The budget of one command; cached calls cost nothing. */
export type SpendingLimits = Partial<Spent>

/** Tokens of one call by kind. */
export interface CallTokens {
  readonly promptTokens?: number
  readonly completionTokens?: number
  readonly embeddedTokens?: number
}

/** Makes a call that needs at most `most` tokens; `usageOf` reads how many it used. Throws SpendingLimitError. */
export type Pay = <T>(most: () => CallTokens, call: () => Promise<T>, usageOf: (result: T) => CallTokens) => Promise<T>

/** The budget of one command, shared by its models. */
export interface Spending {
  readonly limits: SpendingLimits
  /** Aborted with a SpendingLimitError when the next call would exceed a limit; calls in flight go on. */
  readonly signal: AbortSignal
  /** Charges the calls of a model. */
  payer(price: CallOptions['price']): Pay
}

/**
 * A budget that starts unspent. Each call reserves the most that it may need. A call that exceeds the limit with the
 * present reservations waits until they settle. If it still exceeds the limit, it and every later call throw. A failed
 * call costs no tokens.
 */
export function spendingWithin(limits: SpendingLimits): Spending {
  const stop = new AbortController()
  const waiting: { readonly most: Spent; readonly go: () => void; readonly refuse: (reason: unknown) => void }[] = []
  let expenses = zero
  let reservations = zero
  let underWay = 0

  const limitExceededBy = (most: Spent): LimitedAmount | undefined => {
    const total = sum(reservations, most)
    return amounts.find((amount) => expenses[amount] + total[amount] > (limits[amount] ?? Infinity))
  }
  const advance = (): void => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const limit = stop.signal.aborted ? undefined : limitExceededBy(next.most)
      // calls in flight may use fewer tokens than reserved, but never fewer calls
      if (limit !== undefined && limit !== 'calls' && underWay > 0) return
      if (limit !== undefined)
        stop.abort(new SpendingLimitError(limit, limits[limit] ?? 0, next.most[limit], () => expenses))
      waiting.shift()
      if (stop.signal.aborted) {
        next.refuse(stop.signal.reason)
        continue
      }
      reservations = sum(reservations, next.most)
      underWay++
      next.go()
    }
  }
  const settle = (most: Spent, cost: Spent): void => {
    expenses = sum(expenses, cost)
    underWay--
    reservations = underWay === 0 ? zero : sum(reservations, most, -1)
    advance()
  }

  return {
    limits,
    signal: stop.signal,
    payer: (price) => async (estimate, call, usageOf) => {
      const most = costOf(estimate(), price)
      await new Promise<void>((go, refuse) => {
        waiting.push({ most, go, refuse })
        advance()
      })
      let cost = { ...zero, calls: 1 }
      try {
        const result = await call()
        cost = costOf(usageOf(result), price)
        return result
      } finally {
        settle(most, cost)
      }
    },
  }
}

const amounts: readonly LimitedAmount[] = ['calls', 'tokens', 'usd']
const zero: Spent = { calls: 0, tokens: 0, usd: 0 }

const sum = (a: Spent, b: Spent, sign: 1 | -1 = 1): Spent => ({
  calls: a.calls + sign * b.calls,
  tokens: a.tokens + sign * b.tokens,
  usd: a.usd + sign * b.usd,
})

function costOf(
  { promptTokens = 0, completionTokens = 0, embeddedTokens = 0 }: CallTokens,
  price: CallOptions['price'] = free,
): Spent {
  const tokens = promptTokens + completionTokens + embeddedTokens
  return { calls: 1, tokens, usd: dollars({ promptTokens, completionTokens, embeddedTokens }, price) }
}

// a limit in dollars requires prices for models behind servers
const free = { prompt: 0, completion: 0, embedding: 0 }
