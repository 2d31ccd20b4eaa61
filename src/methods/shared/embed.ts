import { rowsToMatrix, type Matrix } from '../../math/vectors.ts'
import type { Models } from '../../types.ts'

/** The vectors of texts as documents, one a row; nothing is asked for none. */
export const documentVectors = async (texts: readonly string[], models: Models): Promise<Matrix> =>
  rowsToMatrix(texts.length > 0 ? await models.embed(texts, 'document') : [])

/** The vector of a text as a query. */
export async function queryVector(text: string, models: Models): Promise<Float32Array> {
  const [query] = await models.embed([text], 'query')
  if (!query) throw new Error('the embedding model returned no vector for the question')
  return query
}
