/** Gives room for so many numbers, all 0. */
export type Take = (length: number) => Float64Array

/** New room each time. */
export const newRoom: Take = (length) => new Float64Array(length)

/** Room that is used again: after `restart` the same arrays are given anew, emptied. What was taken before must be done with. */
export function reusedRoom(): { readonly take: Take; readonly restart: () => void } {
  const pools = new Map<number, { readonly arrays: Float64Array[]; taken: number }>()
  return {
    take(length) {
      let pool = pools.get(length)
      if (!pool) pools.set(length, (pool = { arrays: [], taken: 0 }))
      const known = pool.arrays[pool.taken++]
      if (known) return known.fill(0)
      const made = new Float64Array(length)
      pool.arrays.push(made)
      return made
    },
    restart() {
      for (const pool of pools.values()) pool.taken = 0
    },
  }
}
