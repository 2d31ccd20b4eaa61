/** The longest start of a text with no more than so many tokens; no character is cut in two. */
export function longestStart(text: string, tokens: number, countTokens: (text: string) => number): string {
  const characters = Array.from(text)
  let [fits, tooLong] = [0, characters.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >>> 1
    if (countTokens(characters.slice(0, middle).join('')) <= tokens) fits = middle
    else tooLong = middle
  }
  return characters.slice(0, fits).join('')
}
