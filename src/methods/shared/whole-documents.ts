import { groupBy } from '../../basics/collections.ts'
import type { Chunk, Evidence, Passage, TextSpan } from '../../types.ts'
import { longestStart } from './longest-start.ts'

/** A document rebuilt from its chunks; their offsets are offsets into `text`. */
export interface WholeDocument {
  readonly id: string
  readonly text: string
  readonly chunks: readonly Chunk[]
}

/** The documents of the chunks, in order, without repeated overlaps; text that no chunk covers is spaces. */
export function wholeDocuments(chunks: readonly Chunk[]): WholeDocument[] {
  return Array.from(byDocument(chunks), ([id, parts]) => ({ id, text: joinTexts(parts), chunks: parts }))
}

/** The ids of the chunks that overlap a part of a document. */
export const chunksBetween = (
  chunks: readonly Pick<Chunk, 'id' | 'start' | 'end'>[],
  { start, end }: Pick<TextSpan, 'start' | 'end'>,
): readonly string[] => chunks.filter((chunk) => chunk.start < end && start < chunk.end).map(({ id }) => id)

/** A document as a passage. */
export const wholePassage = ({ id, text, chunks }: WholeDocument): Passage => ({
  text,
  score: 1,
  from: chunks.map((chunk) => chunk.id),
  kind: 'chunk',
  spans: [{ documentId: id, start: 0, end: text.length }],
})

/** Where a document has a quote of evidence, at its stated place if it is there; undefined if nowhere. */
export function placeOfQuote({ text = '', start: statedStart }: Evidence, document: WholeDocument | undefined) {
  if (!document) return undefined
  const isThere = statedStart !== undefined && document.text.startsWith(text, statedStart)
  const start = isThere ? statedStart : document.text.indexOf(text)
  return start < 0 ? undefined : { documentId: document.id, start, end: start + text.length }
}

/** Maximum tokens of a document in a prompt (our reading). */
const excerptTokens = 8000

/** The documents with their beginnings of at most `excerptTokens`. */
export const documentExcerpts = (
  chunks: readonly Chunk[],
  countTokens: (text: string) => number,
): readonly (WholeDocument & { readonly excerpt: string; readonly isCut: boolean })[] =>
  wholeDocuments(chunks).map((document) => {
    const isCut = countTokens(document.text) > excerptTokens
    const excerpt = isCut ? longestStart(document.text, excerptTokens, countTokens) : document.text
    return { ...document, excerpt, isCut }
  })

function joinTexts(chunks: readonly Chunk[]): string {
  const parts: string[] = []
  let coveredEnd = 0
  for (const { start, end, text, lead = 0 } of chunks.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (end <= coveredEnd) continue
    parts.push(' '.repeat(Math.max(0, start - coveredEnd)), text.slice(lead + Math.max(0, coveredEnd - start)))
    coveredEnd = end
  }
  return parts.join('')
}

/** Chunks, or records of chunks, by document, in the order in which the documents first appear. */
export const byDocument = <C extends { readonly documentId: string }>(
  chunks: readonly C[],
): ReadonlyMap<string, readonly C[]> => groupBy(chunks, ({ documentId }) => documentId)

/**
 * The items of each graph or tree: of a document, or of the corpus. `auto`: the corpus if at least half of several
 * documents have at most `tooFew` items, which are too few for a graph or tree of their own (our reading).
 */
export function groupsInScope<C extends { readonly documentId: string }>(
  items: readonly C[],
  scope: 'document' | 'corpus' | 'auto',
  tooFew: number,
): { readonly scope: 'document' | 'corpus'; readonly groups: readonly (readonly C[])[] } {
  const documents = [...byDocument(items).values()]
  const short = documents.filter(({ length }) => length <= tooFew)
  const areMostShort = documents.length > 1 && 2 * short.length >= documents.length
  if (scope === 'document' || (scope === 'auto' && !areMostShort)) return { scope: 'document', groups: documents }
  return { scope: 'corpus', groups: items.length > 0 ? [items] : [] }
}
