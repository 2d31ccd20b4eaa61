/** Columns that a text takes: two for a wide sign, none for a mark that combines with the one before. */
export function widthOf(text: string): number {
  let width = 0
  for (const sign of text) width += combining.test(sign) ? 0 : wide.test(sign) ? 2 : 1
  return width
}

const combining = /^[\p{Mn}\p{Me}]$/u
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]$/u
