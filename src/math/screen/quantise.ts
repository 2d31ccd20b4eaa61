/** Vectors as whole numbers times a scale each, row after row, `stride` numbers from one to the next, the rest 0. */
export interface Quantised<Numbers> {
  readonly whole: Numbers
  readonly scales: Float64Array
  /** The length of what rounding took off each vector, and the length of the vector. */
  readonly errors: Float64Array
  readonly lengths: Float64Array
}

/** Writes vectors of `columns` numbers into `whole` as multiples of their largest over `most`. */
export function quantised<Numbers extends Int8Array | Int16Array>(
  rows: Float32Array,
  columns: number,
  stride: number,
  most: number,
  whole: Numbers,
): Quantised<Numbers> {
  const count = rows.length / columns
  const [scales, errors, lengths] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (let row = 0; row < count; row++) {
    const [from, to] = [row * columns, row * stride]
    let largest = 0
    for (let c = 0; c < columns; c++) largest = Math.max(largest, Math.abs(rows[from + c]!))
    const scale = largest / most
    let [error, length] = [0, 0]
    for (let c = 0; c < columns; c++) {
      const value = rows[from + c]!
      const times = largest > 0 ? Math.round(value / scale) : 0
      const rest = value - times * scale
      whole[to + c] = times
      error += rest * rest
      length += value * value
    }
    scales[row] = scale
    errors[row] = Math.sqrt(error)
    lengths[row] = Math.sqrt(length)
  }
  return { whole, scales, errors, lengths }
}
