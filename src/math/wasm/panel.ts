/** A matrix in rows; `stride` numbers from one row to the next, where that is more than its columns. */
export interface Rows {
  readonly data: Float32Array | Float64Array
  readonly rows: number
  readonly columns: number
  readonly stride?: number
}

/** Four vectors side by side: entry i of vector v is at 4i + v. */
export type Panel = Float64Array
