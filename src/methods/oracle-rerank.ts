import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import type { Evidence, Passage, TextSpan } from '../types.ts'
import { askedMethod, defineRanking, reordered } from './shared/ranking-method.ts'
import { wholeDocuments, type WholeDocument } from './shared/whole-documents.ts'

/** A reference row: how much a reranker could gain over the first passages of a method. */
export const oracleRerank = defineRanking({
  name: 'oracle-rerank',
  summary:
    'Puts the passages of another method into the order in which the evidence is read soonest: each next one adds the most of it.',
  options: z.strictObject({
    of: askedMethod
      .default('vector')
      .describe('The method whose ranking is put into order: a name, a file, or an entry with options'),
    depth: z.int().min(1).default(50).describe('How many passages of the ranking are put into order'),
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
      const places = evidence.map((one) => ({ span: spanOf(one, documents), weight: one.grade ?? 1 }))
      const held = passages.slice(0, depth).map((passage) => {
        const spans = quotedBy(passage, spanOfChunk)
        return places.map(({ span, weight }) => (span ? { ...partsIn(span, spans), weight } : undefined))
      })
      const order = bestOrder(held).map((index) => ({
        index,
        why: { evidence: itemAt(held, index).filter((one) => one && one.parts.size > 0).length },
      }))
      return reordered(passages, order)
    }
  },
})

/** A place of evidence; `whole`: no words are quoted, and any part of the document is as good as the document. */
type Place = TextSpan & { readonly whole: boolean }

/** Where evidence stands; undefined where its words stand nowhere. */
function spanOf(
  { documentId, text, start: said }: Evidence,
  documents: ReadonlyMap<string, WholeDocument>,
): Place | undefined {
  const whole = documents.get(documentId)?.text
  if (whole === undefined) return undefined
  if (text === undefined) return { documentId, start: 0, end: whole.length, whole: true }
  const start = said !== undefined && whole.startsWith(text, said) ? said : whole.indexOf(text)
  return start < 0 ? undefined : { documentId, start, end: start + text.length, whole: false }
}

/** The parts of documents that a passage quotes: a summary or facts quote none. */
const quotedBy = ({ kind, spans, from }: Passage, spanOfChunk: ReadonlyMap<string, TextSpan>): readonly TextSpan[] =>
  kind === 'chunk' ? (spans ?? from.flatMap((id) => spanOfChunk.get(id) ?? [])) : []

/** A piece of evidence in a passage: which of its parts stand there, of how many. */
interface Held {
  readonly parts: ReadonlySet<number>
  readonly of: number
  readonly weight: number
}

/** The characters of the place that spans hold; of a whole document one part. */
function partsIn(place: Place, spans: readonly TextSpan[]): Omit<Held, 'weight'> {
  const parts = new Set<number>()
  for (const { documentId, start, end } of spans) {
    if (documentId !== place.documentId) continue
    const [from, to] = [Math.max(start, place.start), Math.min(end, place.end)]
    if (place.whole && from < to) parts.add(0)
    else for (let at = from; at < to; at++) parts.add(at)
  }
  return { parts, of: place.whole ? 1 : place.end - place.start }
}

/**
 * The places of passages, each next one that which adds the most evidence, by share and grade; then the one that holds
 * the most at all; then the one that stood first. Greedy: within 1 - 1/e of the most that so many passages can hold
 * (Nemhauser et al. 1978).
 */
function bestOrder(held: readonly (readonly (Held | undefined)[])[]): readonly number[] {
  const read = new Map<number, Set<number>>()
  const gain = (index: number, isNew: (evidence: number, part: number) => boolean): number =>
    itemAt(held, index).reduce((sum, one, evidence) => {
      const parts = one ? [...one.parts].filter((part) => isNew(evidence, part)).length : 0
      return one ? sum + (one.weight * parts) / one.of : sum
    }, 0)
  const all = held.map((_, index) => gain(index, () => true))
  const left = new Set(held.keys())
  const order: number[] = []
  while (left.size > 0) {
    const gains = new Map(
      Array.from(left, (index) => [index, gain(index, (one, part) => !read.get(one)?.has(part))] as const),
    )
    const [best] = [...gains].reduce((one, other) => {
      const more = other[1] - one[1] || itemAt(all, other[0]) - itemAt(all, one[0])
      return more > 0 ? other : one
    })
    order.push(best)
    left.delete(best)
    for (const [evidence, one] of itemAt(held, best).entries())
      if (one) read.set(evidence, new Set([...(read.get(evidence) ?? []), ...one.parts]))
  }
  return order
}
