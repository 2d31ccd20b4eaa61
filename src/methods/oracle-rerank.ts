import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import type { Evidence, Passage, TextSpan } from '../types.ts'
import { methodOption, defineRanking, reorder } from './shared/ranking-method.ts'
import { placeOfQuote, wholeDocuments, type WholeDocument } from './shared/whole-documents.ts'
import { wholeNumber } from './shared/options.ts'

/** Upper reference for rerankers: how much a perfect order of a method's first passages gains. */
export const oracleRerank = defineRanking({
  name: 'oracle-rerank',
  summary:
    'Puts the passages of another method into the order in which the evidence is read soonest: each next one adds the most of it.',
  options: z.strictObject({
    of: methodOption('vector', 'The method whose ranking is put into order: a name, a file, or an entry with options'),
    depth: wholeNumber(1, 50, 'How many passages of the ranking are put into order'),
  }),
  sees: 'evidence',
  context: 'evidence',
  depth: ({ depth }) => depth,
  ranker(chunks, _models, { depth }) {
    const documents = new Map(wholeDocuments(chunks).map((document) => [document.id, document]))
    const spanOfChunk = new Map(chunks.map(({ id, documentId, start, end }) => [id, { documentId, start, end }]))
    return async ({ evidence, ...query }, ranking) => {
      if (!evidence) throw new Error(`question ${query.id} has no evidence`)
      const passages = await ranking(query)
      const places = evidence.map((item) => ({ span: spanOf(item, documents), weight: item.grade ?? 1 }))
      const coverages = passages.slice(0, depth).map((passage) => {
        const spans = quotedBy(passage, spanOfChunk)
        return places.map(({ span, weight }) => (span ? { ...partsIn(span, spans), weight } : undefined))
      })
      const order = bestOrder(coverages).map((index) => {
        const quotes = itemAt(coverages, index).filter((coverage) => coverage && coverage.parts.size > 0)
        return { index, why: { evidence: quotes.length } }
      })
      return reorder(passages, order)
    }
  },
})

/** Where evidence is; `isDocument`: without a quote, any part of the document counts as the whole document. */
type Place = TextSpan & { readonly isDocument: boolean }

/** The place of evidence; undefined if its text is not in the document. */
function spanOf(evidence: Evidence, documents: ReadonlyMap<string, WholeDocument>): Place | undefined {
  const { documentId, text } = evidence
  const document = documents.get(documentId)
  if (document && text === undefined) return { documentId, start: 0, end: document.text.length, isDocument: true }
  const span = placeOfQuote(evidence, document)
  return span && { ...span, isDocument: false }
}

/** The spans that a passage quotes; summaries and facts quote none. */
const quotedBy = ({ kind, spans, from }: Passage, spanOfChunk: ReadonlyMap<string, TextSpan>): readonly TextSpan[] =>
  kind === 'chunk' ? (spans ?? from.flatMap((id) => spanOfChunk.get(id) ?? [])) : []

/** How much of one piece of evidence a passage contains: `parts` of `of`. */
interface Coverage {
  readonly parts: ReadonlySet<number>
  readonly of: number
  readonly weight: number
}

function partsIn(place: Place, spans: readonly TextSpan[]): Omit<Coverage, 'weight'> {
  const parts = new Set<number>()
  for (const { documentId, start, end } of spans) {
    if (documentId !== place.documentId) continue
    const from = Math.max(start, place.start)
    const to = Math.min(end, place.end)
    if (place.isDocument && from < to) parts.add(0)
    else for (let at = from; at < to; at++) parts.add(at)
  }
  return { parts, of: place.isDocument ? 1 : place.end - place.start }
}

/**
 * Orders passages greedily: the one that adds the most new evidence (by share and grade), then the one with the most
 * evidence, then the first. Within 1 - 1/e of the optimum for every prefix (Nemhauser et al. 1978).
 */
function bestOrder(coverages: readonly (readonly (Coverage | undefined)[])[]): readonly number[] {
  const readParts = new Map<number, Set<number>>()
  const gain = (index: number, isNew: (evidence: number, part: number) => boolean): number =>
    itemAt(coverages, index).reduce((sum, coverage, evidence) => {
      if (!coverage) return sum
      const newParts = [...coverage.parts].filter((part) => isNew(evidence, part))
      return sum + (coverage.weight * newParts.length) / coverage.of
    }, 0)
  const totalGains = coverages.map((_, index) => gain(index, () => true))
  const candidates = new Set(coverages.keys())
  const order: number[] = []
  while (candidates.size > 0) {
    const isUnread = (item: number, part: number) => !readParts.get(item)?.has(part)
    const gains = new Map(Array.from(candidates, (index) => [index, gain(index, isUnread)] as const))
    const [best] = [...gains].reduce((top, candidate) => {
      const difference = candidate[1] - top[1] || itemAt(totalGains, candidate[0]) - itemAt(totalGains, top[0])
      return difference > 0 ? candidate : top
    })
    order.push(best)
    candidates.delete(best)
    for (const [evidence, coverage] of itemAt(coverages, best).entries())
      if (coverage) readParts.set(evidence, new Set([...(readParts.get(evidence) ?? []), ...coverage.parts]))
  }
  return order
}
