/** Up to here all 2^n signs of n values are tried; 2^20 sums take a few milliseconds. */
export const exactUpTo = 20

/** The sum under each of the 2^n signs; the first is that of the signs as they are. */
export function allSignSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length)
  values.forEach((value, bit) => {
    const known = 2 ** bit
    for (let signs = 0; signs < known; signs++) {
      const before = sums[signs]!
      sums[signs] = before + value
      sums[signs + known] = before - value
    }
  })
  return sums
}
