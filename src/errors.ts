/** An error that the user can fix: shown as one line without a stack, exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError'
  /** Also true for another copy of this package, which a plug-in may import. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'UserError')
  }
}

/** A UserError as it is; another error as one that says what failed, with the cause in brackets, and a remedy. */
export const failureOf = (failure: string, cause: unknown, remedy = ''): UserError =>
  cause instanceof UserError ? cause : new UserError(`${failure} (${messageOf(cause)})${remedy}`, { cause })

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
export type UsageAmounts = Readonly<Record<LimitedAmount, number>>

/**
 * The next call would exceed the limit of a command: it may need `next` of the amount. `usage` sums all calls that
 * have ended.
 */
export class UsageLimitError extends Error {
  override readonly name = 'UsageLimitError'
  readonly amount: LimitedAmount
  readonly limit: number
  readonly next: number
  readonly usage: () => UsageAmounts
  constructor(amount: LimitedAmount, limit: number, next: number, usage: () => UsageAmounts) {
    super(`the next call would exceed the limit of ${limit} ${amount}`)
    this.amount = amount
    this.limit = limit
    this.next = next
    this.usage = usage
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

/** Stands for a secret. */
export const mask = '***'

interface Secret {
  readonly label: string
  readonly forms: RegExp
  /** May occur in ordinary text, so it is masked in errors alone. */
  readonly ordinary: boolean
}

const secrets = new Map<string, Secret>()

/** Whether a value is long enough to mask without damage to other text. */
const isTellable = (value: string): boolean => value.length >= 4

/**
 * Registers a secret, so that `scrub` masks it and its parts (the key of `Bearer KEY`, the password of `Basic BASE64`),
 * also encoded. Ignores values below four characters.
 */
export function knowSecret(value: string, label = mask): void {
  for (const part of partsOf(value))
    if (isTellable(part) && !secrets.has(part))
      secrets.set(part, { label, forms: formsOf(part), ordinary: isOrdinary(part) })
}

/** Forgets all secrets, for tests. */
export const forgetSecrets = (): void => secrets.clear()

/** Masks secrets in a text, except ordinary words and numbers. */
export const scrub = (text: string): string => replaceSecrets(text, ({ ordinary }) => !ordinary)

/** Masks all secrets in an error message. */
export const scrubError = (text: string): string => replaceSecrets(text, () => true)

function replaceSecrets(text: string, matches: (secret: Secret) => boolean): string {
  // longest first, so that no part of a secret remains
  const values = [...secrets].sort(([a], [b]) => b.length - a.length)
  return values.reduce(
    (clean, [, secret]) => (matches(secret) ? clean.replace(secret.forms, () => secret.label) : clean),
    text,
  )
}

function partsOf(value: string): readonly string[] {
  const [, scheme = '', key = ''] = /^([a-z]+)\s+(\S+)$/i.exec(value.trim()) ?? []
  const plain = scheme.toLowerCase() === 'basic' ? Buffer.from(key, 'base64').toString('utf8') : ''
  const parts = [value, plain].flatMap((text) => text.split(/[\s,;:=?&@/]+/))
  return [value.trim(), key, plain, ...parts.filter((part) => !isOrdinary(part))]
}

/** A short word, a number, a date or a numeric address, which replies may contain. */
const isOrdinary = (text: string): boolean => text.length < 8 || /^([a-z]{1,15}|[\d.:-]+)$/i.test(text)

function formsOf(value: string): RegExp {
  const characters = Array.from(value, formsOfCharacter).join('')
  return new RegExp([characters, ...[0, 1, 2].map((offset) => base64Of(value, offset))].filter(Boolean).join('|'), 'g')
}

/** A character literally, escaped by JSON in JSON, as `\u002f`, and as `%2F`. */
function formsOfCharacter(character: string): string {
  const digits = (bytes: string): string => bytes.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const hex = (number: number, length: number): string => digits(number.toString(16).padStart(length, '0'))
  const units = Array.from({ length: character.length }, (_, at) => `\\\\{1,3}u${hex(character.charCodeAt(at), 4)}`)
  const bytes = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`)
  return `(?:\\\\{0,3}${character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}|${units.join('')}|${bytes.join('')}${character === ' ' ? '|\\+' : ''})`
}

/** The base64 characters of the value at a byte offset within a group; empty for short values. */
function base64Of(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  const text = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
  if (text.length < 8) return ''
  return text.replace(/[+/]/g, (sign) => (sign === '+' ? '[+-]' : '[/_]'))
}
