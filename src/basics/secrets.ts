/** What stands in place of a key. */
export const hidden = '***'

interface Known {
  readonly shown: string
  readonly forms: RegExp
  /** Ordinary text may hold it too, so it is taken out of errors alone. */
  readonly ordinary: boolean
}

const known = new Map<string, Known>()

/** Whether a value is long enough to be told from other text: where a shorter one is taken out, words fall apart. */
const isTellable = (value: string): boolean => value.length >= 4

/**
 * Makes a value known, so that `scrub` takes it and its parts (the key of `Bearer KEY`, the password of `Basic BASE64`)
 * out of every text, also encoded. Fewer than four characters are not told from other text.
 */
export function knowSecret(value: string, shown = hidden): void {
  for (const part of partsOf(value))
    if (isTellable(part) && !known.has(part))
      known.set(part, { shown, forms: formsOf(part), ordinary: isOrdinary(part) })
}

/** Makes every value unknown again, as at the start of a process: tests in one process know their own alone. */
export const forgetSecrets = (): void => known.clear()

/** A text as it may be kept, written or printed; a secret that is an ordinary word or number stays. */
export const scrub = (text: string): string => replaced(text, ({ ordinary }) => !ordinary)

/** The words of an error, without any value that is known. */
export const scrubError = (text: string): string => replaced(text, () => true)

function replaced(text: string, taken: (known: Known) => boolean): string {
  // longer values first, so that no part of one is left over
  const values = [...known].sort(([a], [b]) => b.length - a.length)
  return values.reduce((clean, [, one]) => (taken(one) ? clean.replace(one.forms, () => one.shown) : clean), text)
}

function partsOf(value: string): readonly string[] {
  const [, scheme = '', key = ''] = /^([a-z]+)\s+(\S+)$/i.exec(value.trim()) ?? []
  const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(key, 'base64').toString('utf8') : ''
  const parts = [value, decoded].flatMap((text) => text.split(/[\s,;:=?&@/]+/))
  return [value.trim(), key, decoded, ...parts.filter((part) => !isOrdinary(part))]
}

/** One short word, a number, a date or a numeric address: what replies may hold by themselves. */
const isOrdinary = (text: string): boolean => text.length < 8 || /^([a-z]{1,15}|[\d.:-]+)$/i.test(text)

function formsOf(value: string): RegExp {
  const characters = Array.from(value, formsOfCharacter).join('')
  return new RegExp([characters, ...[0, 1, 2].map((offset) => base64Of(value, offset))].filter(Boolean).join('|'), 'g')
}

/** A character as it stands, after the backslashes of JSON in JSON, as `\u002f`, and as `%2F`. */
function formsOfCharacter(character: string): string {
  const digits = (bytes: string): string => bytes.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const hex = (number: number, length: number): string => digits(number.toString(16).padStart(length, '0'))
  const units = Array.from({ length: character.length }, (_, at) => `\\\\{1,3}u${hex(character.charCodeAt(at), 4)}`)
  const bytes = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`)
  return `(?:\\\\{0,3}${character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}|${units.join('')}|${bytes.join('')}${character === ' ' ? '|\\+' : ''})`
}

/** The characters of base64 that stand for the value alone, so many bytes after a group; empty for a short value. */
function base64Of(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  const text = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
  if (text.length < 8) return ''
  return text.replace(/[+/]/g, (sign) => (sign === '+' ? '[+-]' : '[/_]'))
}
