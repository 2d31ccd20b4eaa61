import { distance } from 'fastest-levenshtein'

/** The candidate that was probably meant: the nearest by edit distance within a third of its length, or none. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const farthest = Math.max(1, Math.ceil(candidate.length / 3))
    // every letter too many is an edit, and the candidate in lower case is at most twice as long as it is written
    if (name.length > 2 * (candidate.length + farthest)) continue
    const away = distance(name.toLowerCase(), candidate.toLowerCase())
    if (away <= farthest && (!best || away < best.distance)) best = { candidate, distance: away }
  }
  return best?.candidate
}

/** `unknown method "bm52"; did you mean "bm25"? known: …` */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return `unknown ${what} "${name}"${near ? `; did you mean "${near}"?` : ''} (known: ${known.join(', ')})`
}
