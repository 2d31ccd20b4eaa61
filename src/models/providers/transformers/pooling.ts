import type { TransformersOptions } from './options.ts'

/** One vector of length one for a text, from the vectors of its tokens; sums in 64 bits. */
export function pooled(tokens: readonly Float32Array[], pooling: TransformersOptions['pooling']): Float32Array {
  switch (pooling) {
    case 'mean':
      return unit(sum(tokens))
    case 'cls':
      return unit(sum(tokens.slice(0, 1)))
    case 'last':
      return unit(sum(tokens.slice(-1)))
  }
}

/** A sum points where the mean points. */
function sum(vectors: readonly Float32Array[]): Float64Array {
  const total = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) vector.forEach((value, axis) => (total[axis] = (total[axis] ?? 0) + value))
  return total
}

/** Zero stays zero. */
function unit(vector: Float64Array): Float32Array {
  const length = Math.sqrt(vector.reduce((squares, value) => squares + value * value, 0))
  return Float32Array.from(vector, (value) => (length > 0 ? value / length : value))
}
