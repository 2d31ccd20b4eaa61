/**
 * Whole numbers out of a text, one to four letters each (VLQ in base 64, as in source maps): the lowest bit of a number is its sign, five
 * bits are a letter, low ones first, and a letter of 32 or more goes on.
 */
export function readIntegers(text: string): number[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
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
