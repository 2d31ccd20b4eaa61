/** `magnitude`: |λ| falls, as in the paper. `algebraic`: λ falls. */
export type EigenOrder = 'magnitude' | 'algebraic'

/** Magnitudes nearer than this, of the largest, are one: 1 and -1 come out of a solver with an error. */
const tie = 1e-12

/** Indices of the values in order; of equal magnitudes the larger value comes first, of equal values the lower index. */
export function eigenOrder(values: ArrayLike<number>, order: EigenOrder): number[] {
  const indices = Array.from({ length: values.length }, (_, i) => i)
  const falling = (a: number, b: number) => values[b]! - values[a]! || a - b
  if (order === 'algebraic') return indices.sort(falling)
  const magnitude = (i: number) => Math.abs(values[i]!)
  indices.sort((a, b) => magnitude(b) - magnitude(a) || a - b)
  const width = tie * (indices.length > 0 ? magnitude(indices[0]!) : 0)
  const groups: number[][] = []
  for (const index of indices) {
    const last = groups.at(-1)
    if (last && magnitude(last.at(-1)!) - magnitude(index) <= width) last.push(index)
    else groups.push([index])
  }
  return groups.flatMap((group) => group.sort(falling))
}

/** Entries nearer than this to the largest, as a part of it, are as large: solvers agree on the sign though not on the last digits. */
const sameSize = 1e-6

/** The vector or its opposite: of the entries of largest |x| the one of lowest index is positive. */
export function canonicalSign(vector: Float64Array): Float64Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  const first = vector.find((value) => Math.abs(value) >= largest * (1 - sameSize)) ?? 0
  return first < 0 ? vector.map((value) => -value) : vector
}
