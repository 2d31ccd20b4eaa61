/** A name with so much added to its number, the first of which is number 0; digits stay as many: `doc 07` and 1 give `doc 08`. */
export function countOn(name: string, number: number, by: number): string {
  const parts = name.split(/(\d+)/)
  const place = 2 * number + 1
  const digits = parts[place] ?? ''
  parts[place] = String(Number(digits) + by).padStart(digits.length, '0')
  return parts.join('')
}
