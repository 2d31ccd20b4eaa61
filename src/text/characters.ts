/** A text without control characters: configs and datasets may hold some that a terminal would obey. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')

/** The letters and digits of a text: what two texts share that differ in white space and punctuation alone. */
export const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * A text without the characters that nobody sees: soft hyphens, zero-width spaces and joiners, marks of direction. The
 * joiners of Arabic, Indic and like scripts and of emoji stay, because they change what is written.
 */
export const withoutInvisible = (text: string): string => text.replace(invisible, '')

const invisible =
  /[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|(?<=^|[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\d\p{P}\s\u200b])[\u200c\u200d]+/gu

/** Whether a text holds a letter or a digit. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** A text of Windows-1252 decoded as Latin-1, as Node 20 does: control characters become the signs meant. */
export const fromLatin1 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (sign) => characters[sign.charCodeAt(0) - 0x80] ?? sign)

/** What the codes 0x80 to 0x9f mean in Windows-1252; those that it leaves open stay as they are. */
const characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
