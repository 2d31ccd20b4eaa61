const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Whole numbers as the text that `readIntegers` reads. */
export const writeIntegers = (values: readonly number[]): string => values.map(lettersOf).join('')

function lettersOf(value: number): string {
  let rest = value < 0 ? -2 * value + 1 : 2 * value
  let text = ''
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += letters.charAt(32 + (rest % 32))
  return text + letters.charAt(rest)
}
