/** Replaces a key. */
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
