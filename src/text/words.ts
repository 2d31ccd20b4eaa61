/** A sign of Han or Hiragana, which are written without spaces, or a run of other letters, marks and digits with inner apostrophes. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}])+(?:'(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}])+)*/gu

/** The words of a text in order, lower-cased and composed (NFC), without the 's of a possessive. */
export const words = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/'s(?![\p{L}\p{M}\p{N}])/gu, ' ')
    .match(word) ?? []
