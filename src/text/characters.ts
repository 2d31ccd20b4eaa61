/** Replaces control characters, which a terminal would obey. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')

/** The letters and digits of a text, to compare texts without white space and punctuation. */
export const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** Removes soft hyphens, zero-width spaces, direction marks, and joiners where they change nothing. */
export const withoutInvisible = (text: string): string => text.replace(invisible, '')

const invisible =
  /[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|(?<=^|[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\d\p{P}\s\u200b])[\u200c\u200d]+/gu

/** Whether a text holds a letter or a digit. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Corrects Windows-1252 text that Node 20 decoded as Latin-1. */
export const fromLatin1 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (sign) => characters[sign.charCodeAt(0) - 0x80] ?? sign)

/** Windows-1252 for 0x80 to 0x9f; undefined codes stay. */
const characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** A decimal digit of another script than Latin. */
export const otherDigit = /(?![0-9])\p{Nd}/gu

/** Its value: such digits come in blocks of ten that begin at a code …0 or …6. */
export function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  return String(/\p{Nd}/u.test(String.fromCodePoint(code | 15)) ? (code & 15) - 6 : code & 15)
}

/** A text on one line, with single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Non-overlapping places of a pattern in a text, as UTF-16 offsets. */
export function occurrences(text: string, pattern: string): number[] {
  const places: number[] = []
  if (pattern === '') return places
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + pattern.length)) places.push(at)
  return places
}

/** Code point order, as in Python; JavaScript compares UTF-16 units. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
