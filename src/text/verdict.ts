const words: Readonly<Record<string, number>> = { yes: 1, right: 1, true: 1, no: 0, wrong: 0, false: 0 }

/** The words that are verdicts. */
export const verdictWords: readonly string[] = Object.keys(words)

/** A verdict that a person wrote: a number (a decimal comma will do) or one of the words; else undefined. */
export function verdictIn(text: string): number | undefined {
  const word = text.trim().toLowerCase()
  if (/^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(word)) return Number(word.replace(',', '.'))
  return Object.hasOwn(words, word) ? words[word] : undefined
}
