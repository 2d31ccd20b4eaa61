import { byDocument } from '../shared/by-document.ts'
import type { Leaf } from './leaves.ts'
import type { RaptorOptions } from './options.ts'

/** What one tree is built of: a document, or all that is searched together. */
export type Scope = Exclude<RaptorOptions['scope'], 'auto'>

/**
 * The scope that is asked for. Of `auto` it is the corpus where at least half of several documents have no more leaves than
 * reductionDimension + 1: such a document alone is never clustered, and most trees would have no summary (our reading).
 */
export function scopeOf(
  leaves: readonly Leaf[],
  { scope, reductionDimension }: Pick<RaptorOptions, 'scope' | 'reductionDimension'>,
): Scope {
  if (scope !== 'auto') return scope
  const documents = [...byDocument(leaves).values()]
  const short = documents.filter(({ length }) => length <= reductionDimension + 1)
  return documents.length > 1 && 2 * short.length >= documents.length ? 'corpus' : 'document'
}
