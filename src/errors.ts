import { scrubError } from './basics/secrets.ts'

/** An error that the user can fix: shown as one line without a stack, exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError'
  /** Also true for another copy of this package, which a plug-in may import. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'UserError')
  }
}

/** A plug-in in a file failed: one line, with the place in its file where that is known. */
export class PlugInError extends Error {
  override readonly name = 'PlugInError'
}

/** A call to a model that failed for good. `raw` is the reply that could not be used. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelErrorKind
  readonly raw?: string
  /** As for UserError. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'ModelError')
  }
  constructor(kind: ModelErrorKind, message: string, options: ErrorOptions & { raw?: string } = {}) {
    super(message, options)
    this.kind = kind
    if (options.raw !== undefined) this.raw = options.raw
  }
}

const isNamed = (value: unknown, name: string): boolean => value instanceof Error && value.name === name

/**
 * `reply`: the text could not be read; `window`: too long for the model; `refused`: content filter or no such ability;
 * `server`, `network`, `timeout`: the call.
 */
export type ModelErrorKind = 'reply' | 'window' | 'refused' | 'server' | 'network' | 'timeout'

/** The quantity that a limit bounds; tokens include prompts, replies and embedded texts. */
export type LimitedAmount = 'calls' | 'tokens' | 'usd'

/** Calls that were made, their tokens, and what these cost in dollars. */
export type Spent = Readonly<Record<LimitedAmount, number>>

/**
 * The next call would exceed the limit of a command: it may need `next` of the amount. `spent` sums all calls that
 * have ended.
 */
export class SpendingLimitError extends Error {
  override readonly name = 'SpendingLimitError'
  readonly amount: LimitedAmount
  readonly limit: number
  readonly next: number
  readonly spent: () => Spent
  constructor(amount: LimitedAmount, limit: number, next: number, spent: () => Spent) {
    super(`the next call would exceed the limit of ${limit} ${amount}`)
    this.amount = amount
    this.limit = limit
    this.next = next
    this.spent = spent
  }
}

/** What went wrong, in one line of at most 2 kB and without keys, whatever was thrown. */
export function messageOf(error: unknown): string {
  const text = scrubError(textOf(error)).slice(0, 4 * maxBytes)
  return cutBytes(text.replace(/\s+/g, ' ').trim(), maxBytes)
}

/** Truncates a text to a number of UTF-8 bytes, with "…", at a character boundary. */
export function cutBytes(text: string, bytes: number): string {
  // a character takes at least one byte
  const begin = Buffer.from(text.slice(0, bytes + 1))
  if (begin.length <= bytes && text.length <= bytes) return text
  let end = bytes - 3
  // continuation bytes are 10xxxxxx
  while (end > 0 && ((begin[end] ?? 0) & 0xc0) === 0x80) end--
  return `${begin.toString('utf8', 0, end)}…`
}

const maxBytes = 2000

/** The text of any thrown value, even if it cannot be converted. */
function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? (error.message as unknown) : error)
  } catch {
    return 'an error that cannot be read'
  }
}
