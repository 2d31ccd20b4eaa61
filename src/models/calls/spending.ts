import { dollars } from '../../basics/dollars.ts'
import { SpendingLimitError, type LimitedAmount, type Spent } from '../../errors.ts'
import type { CallOptions } from '../provider.ts'

/** The most that one command may spend on the calls that it makes; a call answered from the cache costs nothing. */
export type SpendingLimits = Partial<Spent>

/** Tokens of one call by kind; a kind that it has none of is absent. */
export interface CallTokens {
  readonly promptTokens?: number
  readonly completionTokens?: number
  readonly embeddedTokens?: number
}

/** Makes a call that may need `most` tokens; `used` are those that it needed. Throws SpendingLimitError. */
export type Pay = <T>(most: () => CallTokens, call: () => Promise<T>, used: (made: T) => CallTokens) => Promise<T>

/** What the calls of one command spend. */
export interface Spending {
  readonly limits: SpendingLimits
  /** Raised when the next call would exceed a limit, with a SpendingLimitError; calls under way go on. */
  readonly signal: AbortSignal
  /** How the calls of a model are paid for. */
  payer(price: CallOptions['price']): Pay
}

/**
 * Spending from nothing. Before a call is made, the most that it may need is reserved; a call that does not fit beside
 * what was spent and reserved waits until those before it have ended, since they may need less. One that does not fit
 * even then is the end: it and every later call throw. Of a call that failed only the call is counted.
 */
export function spendingWithin(limits: SpendingLimits): Spending {
  const stop = new AbortController()
  const waiting: { readonly most: Spent; readonly go: () => void; readonly refuse: (reason: unknown) => void }[] = []
  let spent = nothing
  let reserved = nothing
  let underWay = 0

  const exceeded = ({ calls, tokens, usd }: Spent): LimitedAmount | undefined => {
    const total = { calls: reserved.calls + calls, tokens: reserved.tokens + tokens, usd: reserved.usd + usd }
    return amounts.find((amount) => spent[amount] + total[amount] > (limits[amount] ?? Infinity))
  }
  const advance = (): void => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const limit = stop.signal.aborted ? undefined : exceeded(next.most)
      // calls under way may need fewer tokens than were reserved, but each is one call
      if (limit !== undefined && limit !== 'calls' && underWay > 0) return
      if (limit !== undefined)
        stop.abort(new SpendingLimitError(limit, limits[limit] ?? 0, next.most[limit], () => spent))
      waiting.shift()
      if (stop.signal.aborted) {
        next.refuse(stop.signal.reason)
        continue
      }
      reserved = sum(reserved, next.most)
      underWay++
      next.go()
    }
  }
  const settle = (most: Spent, cost: Spent): void => {
    spent = sum(spent, cost)
    underWay--
    reserved = underWay === 0 ? nothing : sum(reserved, most, -1)
    advance()
  }

  return {
    limits,
    signal: stop.signal,
    payer: (price) => async (expected, call, used) => {
      const most = costOf(expected(), price)
      await new Promise<void>((go, refuse) => {
        waiting.push({ most, go, refuse })
        advance()
      })
      let cost = { ...nothing, calls: 1 }
      try {
        const made = await call()
        cost = costOf(used(made), price)
        return made
      } finally {
        settle(most, cost)
      }
    },
  }
}

const amounts: readonly LimitedAmount[] = ['calls', 'tokens', 'usd']
const nothing: Spent = { calls: 0, tokens: 0, usd: 0 }

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

// a run with a limit in dollars is refused where a model behind a server has no price
const free = { prompt: 0, completion: 0, embedding: 0 }
