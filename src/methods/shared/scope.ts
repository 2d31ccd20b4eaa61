/** The extent of one graph or tree: a document, or the corpus that is searched together. */
export type Scope = 'document' | 'corpus'

/**
 * Resolves `auto`: the corpus if at least half of several documents have at most `tooFew` chunks, which are too few for
 * a graph or tree of their own (our reading).
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
