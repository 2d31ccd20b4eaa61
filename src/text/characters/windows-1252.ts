/** What the codes 0x80 to 0x9f mean in Windows-1252; those that it leaves open stay as they are. */
const characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** A text that was decoded as Latin-1, as Node 20 decodes Windows-1252, with the signs that Windows-1252 has in place of control characters. */
export const fromLatin1 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (sign) => characters[sign.charCodeAt(0) - 0x80] ?? sign)
