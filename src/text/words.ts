/** A sign of Han or Hiragana, which are written without spaces, or a run of other letters, marks and digits. */
const word = /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}])+/gu

/** The words of a text in order, lower-cased and composed (NFC); an apostrophe parts them, as every other sign does. */
export const words = (text: string): string[] => composed(text).toLowerCase().match(word) ?? []

/** Putting the marks on one letter in order takes time quadratic in their number, so runs are cut every 400: no letter has as many. */
const longRun = /(\p{M}{400})/u

const composed = (text: string): string =>
  text
    .split(longRun)
    .map((piece) => piece.normalize('NFC'))
    .join('')
