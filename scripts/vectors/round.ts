/** Python's round(value, digits): the nearest decimal to the exact binary value, and of two equally near ones the even. */
export function pythonRound(value: number, digits: number): number {
  // a tie has no more than digits + 1 binary places, so this product is exact
  const places = value * 2 ** (digits + 1)
  const tie = Number.isInteger(places) && places % 2 !== 0
  if (!tie) return Number(value.toFixed(digits))
  return (2 * Math.round((value * 10 ** digits) / 2)) / 10 ** digits
}
