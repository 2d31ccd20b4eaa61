import { itemAt, slices } from '../../basics/collections.ts'
import { normalise, rowsToMatrix, topK, type Matrix } from '../../math/vectors.ts'
import type { Models } from '../../types.ts'

/** The vectors of texts as documents, one per row; no call without texts. Throws RangeError for unequal lengths. */
export async function documentVectors(texts: readonly string[], models: Models): Promise<Matrix> {
  let matrix = rowsToMatrix([])
  let row = 0
  for await (const vectors of vectorParts(texts, models)) {
    const { data, columns } = rowsToMatrix(vectors)
    if (row === 0) matrix = { data: new Float32Array(texts.length * columns), rows: texts.length, columns }
    if (columns !== matrix.columns) throw unequalLengths(columns, matrix.columns)
    matrix.data.set(data, row * columns)
    row += vectors.length
  }
  return matrix
}

export const unequalLengths = (length: number, first: number): RangeError =>
  new RangeError(`a vector has ${length} numbers, the first has ${first}`)

/** Texts per call: bounds the memory of vectors that are held twice. */
const textsOfCall = 2 ** 15

/** The vectors of texts as documents, one sequential call after another. */
export async function* vectorParts(texts: readonly string[], models: Models): AsyncGenerator<readonly Float32Array[]> {
  for (const part of slices(texts, textsOfCall)) yield await models.embed(part, 'document')
}

/** The vector of a text as a query. */
export async function queryVector(text: string, models: Models): Promise<Float32Array> {
  const vectors = await models.embed([text], 'query')
  return itemAt(vectors, 0)
}

/** The mean of vectors of one length, normalised. */
export function meanDirection(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(itemAt(vectors, 0).length)
  for (const vector of vectors) {
    for (const [at, value] of vector.entries()) sum[at] = itemAt(sum, at) + value
  }
  return normalise(Float32Array.from(sum))
}

/** Items and the vectors of their texts, one row each. */
export interface EmbeddedItems<T> {
  readonly items: readonly T[]
  readonly vectors: Matrix
}

export const embedItems = async <T>(
  items: readonly T[],
  textOf: (item: T) => string,
  models: Models,
): Promise<EmbeddedItems<T>> => ({ items, vectors: await documentVectors(items.map(textOf), models) })

/** Texts with their vectors. */
export const embedTexts = <T extends { readonly text: string }>(items: readonly T[], models: Models) =>
  embedItems(items, ({ text }) => text, models)

/** The `k` items nearest to a vector, best first. */
export const nearestItems = <T>(query: Float32Array, { items, vectors }: EmbeddedItems<T>, k: number) =>
  topK(query, vectors, k).map(({ index, score }) => ({ item: itemAt(items, index), score }))
