/** What one graph or tree is built of: a document, or all that is searched together. */
export type Scope = 'document' | 'corpus'

/**
 * The scope that is asked for. Of `auto` it is the corpus where at least half of several documents have no more chunks
 * than are too few for a graph or tree of their own (our reading).
 */
export function scopeOf(
  documents: Iterable<{ readonly length: number }>,
  scope: Scope | 'auto',
  tooFew: number,
): Scope {
  if (scope !== 'auto') return scope
  const lengths = Array.from(documents, ({ length }) => length)
  const short = lengths.filter((length) => length <= tooFew)
  return lengths.length > 1 && 2 * short.length >= lengths.length ? 'corpus' : 'document'
}
