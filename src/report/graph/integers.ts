const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Whole numbers out of a text, one to four letters each (VLQ in base 64, as in source maps): the lowest bit of a number is its sign, five
 * bits are a letter, low ones first, and a letter of 32 or more goes on.
 */
export function readIntegers(text: string): number[] {
  const numbers: number[] = []
  let sum = 0
  let place = 1
  for (const letter of text) {
    const value = letters.indexOf(letter)
    sum += (value % 32) * place
    place *= 32
    if (value >= 32) continue
    numbers.push(sum % 2 === 1 ? -(sum - 1) / 2 : sum / 2)
    sum = 0
    place = 1
  }
  return numbers
}

/** Whole numbers as the text that `readIntegers` reads. */
export const writeIntegers = (values: readonly number[]): string => values.map(lettersOf).join('')

function lettersOf(value: number): string {
  let rest = value < 0 ? -2 * value + 1 : 2 * value
  let text = ''
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += letters.charAt(32 + (rest % 32))
  return text + letters.charAt(rest)
}
