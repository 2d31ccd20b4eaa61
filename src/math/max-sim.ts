/** Token vectors, row-major. */
export interface TokenRows {
  readonly data: Float32Array | Float64Array
  readonly rows: number
  readonly columns: number
}

/** Normalises vectors into `data`, row-major; zero vectors stay zero. */
export function unitRows(vectors: readonly ArrayLike<number>[], data: TokenRows['data']): TokenRows {
  const columns = vectors[0]?.length ?? 0
  for (const [row, vector] of vectors.entries()) {
    let squares = 0
    for (let at = 0; at < columns; at++) squares += vector[at]! * vector[at]!
    const length = Math.sqrt(squares) || 1
    for (let at = 0; at < columns; at++) data[row * columns + at] = vector[at]! / length
  }
  return { data, rows: vectors.length, columns }
}

/**
 * MaxSim (Khattab and Zaharia 2020, ColBERT, equation 3): over the tokens of a query, the sum of the largest inner
 * product with a token of the document. 0 where either has none. Throws RangeError where lengths differ.
 */
export function maxSim(query: TokenRows, document: TokenRows): number {
  if (query.rows === 0 || document.rows === 0) return 0
  const { columns } = query
  if (document.columns !== columns)
    throw new RangeError(`token vectors of ${columns} and ${document.columns} numbers have no inner product`)
  let score = 0
  for (let from = 0; from < query.rows * columns; from += columns) {
    let most = -Infinity
    for (let to = 0; to < document.rows * columns; to += columns) {
      let even = 0
      let odd = 0
      const pairs = columns & ~1
      for (let at = 0; at < pairs; at += 2) {
        even += query.data[from + at]! * document.data[to + at]!
        odd += query.data[from + at + 1]! * document.data[to + at + 1]!
      }
      if (pairs < columns) even += query.data[from + pairs]! * document.data[to + pairs]!
      most = Math.max(most, even + odd)
    }
    score += most
  }
  return score
}
