import { paragraphKey, paragraphs } from '../text/paragraphs.ts'
import type { Chunk, ContextPassage, Corpus, Evidence, Passage } from '../types.ts'
import type { Weighed } from './pack.ts'

/** Finds where evidence lies and what a passage covers, within one corpus. */
export interface Locator {
  /** Ids of all chunks that overlap the evidence, in chunk order; what is quoted from nowhere in the documents has none. */
  relevant(evidence: readonly Evidence[]): readonly string[]
  /** Adds to each passage its documents, the evidence that it overlaps and the paragraphs that it touches. */
  annotate(passages: readonly Weighed[], evidence: readonly Evidence[] | undefined): readonly ContextPassage[]
}

interface Span {
  readonly documentId: string
  readonly start: number
  readonly end: number
}

export function locator(corpus: Corpus, chunks: readonly Chunk[]): Locator {
  const documents = new Map(corpus.documents.map((document) => [document.id, document]))
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const paragraphsOf = remember((documentId: string) =>
    paragraphs(documents.get(documentId)?.text ?? '').map((one) => ({ ...one, key: paragraphKey(one.text) })),
  )

  const spanOf = (evidence: Evidence): Span | undefined => {
    const text = documents.get(evidence.documentId)?.text
    if (text === undefined) return undefined
    if (evidence.text === undefined) return { documentId: evidence.documentId, start: 0, end: text.length }
    const start = text.indexOf(evidence.text)
    return start < 0 ? undefined : { documentId: evidence.documentId, start, end: start + evidence.text.length }
  }
  const chunksOf = (passage: Passage): readonly Chunk[] => passage.from.flatMap((id) => byId.get(id) ?? [])

  return {
    relevant(evidence) {
      const spans = evidence.flatMap((one) => spanOf(one) ?? [])
      return chunks.filter((chunk) => spans.some((span) => overlap(chunk, span))).map((chunk) => chunk.id)
    },
    annotate(passages, evidence) {
      const spans = evidence?.map(spanOf)
      return passages.map((passage) => {
        const sources = chunksOf(passage)
        const annotated: ContextPassage = {
          ...passage,
          documents: [...new Set(sources.map((chunk) => chunk.documentId))],
        }
        // a summary is made of chunks but quotes none of them
        if (!spans || passage.kind !== 'chunk') return annotated
        const touches = (span: Span | undefined): boolean => !!span && sources.some((chunk) => overlap(chunk, span))
        return {
          ...annotated,
          evidence: spans.flatMap((span, index) => (touches(span) ? [index] : [])),
          paragraphs: [
            ...new Set(
              sources.flatMap((chunk) =>
                paragraphsOf(chunk.documentId)
                  .filter((one) => one.start < chunk.end && chunk.start < one.end)
                  .map((one) => one.key),
              ),
            ),
          ],
        }
      })
    },
  }
}

const overlap = (chunk: Span, span: Span): boolean =>
  chunk.documentId === span.documentId && chunk.start < span.end && span.start < chunk.end

function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = make(key)))
    return value
  }
}
