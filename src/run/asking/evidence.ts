import { groupBy, valueOf } from '../../basics/collections.ts'
import { memoise, once } from '../../basics/memoise.ts'
import { hasLetters, lettersOf } from '../../text/characters.ts'
import { paragraphKey, paragraphs } from '../../text/sentences.ts'
import type {
  Chunk,
  ContextPassage,
  Corpus,
  Evidence,
  EvidencePlace,
  Held,
  Passage,
  TextSpan,
  Document,
} from '../../types.ts'

type Located<P extends Passage> = P & Pick<ContextPassage, 'documents' | 'spans' | 'derived' | 'evidence' | 'relevant'>

type Annotated<P extends Passage> = Located<P> & Pick<ContextPassage, 'paragraphs'>

type Quoting = Pick<ContextPassage, 'spans' | 'derived'>

export type Locator = ReturnType<typeof locator>

/** Finds where evidence lies and what a passage quotes, within one corpus. */
export function locator(corpus: Corpus, chunks: readonly Chunk[]) {
  const documents = new Map(corpus.documents.map((document) => [document.id, document]))
  const chunkById = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const byDocument = once(() => groupBy(chunks, ({ documentId }) => documentId))
  const chunksOf = (documentId: string): readonly Chunk[] => byDocument().get(documentId) ?? []
  const places = once(() => new Map(chunks.map((chunk, place) => [chunk, place])))
  const paragraphsOf = memoise((documentId: string) =>
    paragraphs(documents.get(documentId)?.text ?? '').map((one) => ({
      ...one,
      documentId,
      key: paragraphKey(one.text),
    })),
  )

  const spanOf = memoise(({ documentId, text: quoted, start: said }: Evidence): TextSpan | undefined => {
    const text = documents.get(documentId)?.text
    if (text === undefined) return undefined
    if (quoted === undefined) return { documentId, start: 0, end: text.length }
    const start = said !== undefined && text.startsWith(quoted, said) ? said : text.indexOf(quoted)
    return start < 0 ? undefined : { documentId, start, end: start + quoted.length }
  })
  /** Whether two or three spans have a letter or digit in common. */
  const share = (a: TextSpan, b: TextSpan, c: TextSpan = b): boolean => {
    if (a.documentId !== b.documentId || b.documentId !== c.documentId) return false
    const start = Math.max(a.start, b.start, c.start)
    const end = Math.min(a.end, b.end, c.end)
    if (start >= end) return false
    return hasLetters(documents.get(a.documentId)?.text.slice(start, end) ?? '')
  }
  /** Whether a span names a document that the corpus lacks, of which it can hold no words. */
  const isOutside = ({ documentId, end }: TextSpan): boolean => end === 0 && !documents.has(documentId)
  const quotes = (quoted: readonly TextSpan[], one: TextSpan, another?: TextSpan): boolean =>
    quoted.some((span) => share(span, one, another))

  const paragraphsAt = memoise((place: string) => {
    const [documentId, start, end] = JSON.parse(place) as [string, number, number]
    return paragraphsOf(documentId).filter((one) => share({ documentId, start, end }, one))
  })
  /** Keys of the paragraphs of the documents that stand in the spans, in their order. */
  const paragraphKeys = (documentIds: readonly string[], quoted: readonly TextSpan[]): readonly string[] => {
    const [found = [], ...others] = quoted.map((span) =>
      paragraphsAt(JSON.stringify([span.documentId, span.start, span.end])),
    )
    if (others.length === 0) return distinct(found.map(({ key }) => key))
    const all = new Set([found, ...others].flat())
    return distinct(documentIds.flatMap((id) => paragraphsOf(id).flatMap((one) => (all.has(one) ? [one.key] : []))))
  }

  /** How much of the letters and digits of a span stands in the parts of documents that are quoted. */
  const held = (quoted: readonly TextSpan[], span: TextSpan): Held => {
    if (!quotes(quoted, span)) return 'none'
    const { text = '' } = documents.get(span.documentId) ?? {}
    const own = quoted.filter(({ documentId }) => documentId === span.documentId).toSorted((a, b) => a.start - b.start)
    let reached = span.start
    for (const { start, end } of own) {
      if (start > reached && hasLetters(text.slice(reached, Math.min(start, span.end)))) return 'part'
      reached = Math.max(reached, end)
    }
    return hasLetters(text.slice(reached, span.end)) ? 'part' : 'whole'
  }

  /** Whether a piece of evidence stands in one chunk from its beginning to its end. */
  const isUncut = memoise((one: Evidence): boolean => {
    const span = spanOf(one)
    return span !== undefined && chunksOf(span.documentId).some((chunk) => held([chunk], span) === 'whole')
  })

  const withSpans = <P extends Passage>(
    passages: readonly P[],
    evidence: readonly Evidence[] | undefined,
  ): readonly Located<P>[] => {
    const spans = evidence?.map(spanOf)
    return passages.map((passage): Located<P> => {
      const quoted = quotedSpans(passage, documents, chunkById)
      const own = quoted ?? passage.from.flatMap((id) => sourceOf(chunkById.get(id)))
      // a chunk may be nothing but the full stop at the end of its document: it says nothing that this holds
      const said = quoted?.filter((span) => isOutside(span) || share(span, span)) ?? own
      const named = distinct(said.map(({ documentId }) => documentId))
      // words of its own under the name of a chunk lead nowhere; a summary says that it has words of its own
      const leadsTo = quoted || passage.kind !== 'chunk' ? named : []
      const located = { ...passage, documents: leadsTo, spans: own, ...(!quoted && { derived: true as const }) }
      if (!spans || !quoted) return located
      return {
        ...located,
        evidence: spans.flatMap((span, index) => (span && quotes(quoted, span) ? [index] : [])),
        relevant: passage.from.filter((id) => {
          const chunk = chunkById.get(id)
          return chunk && spans.some((span) => span && quotes(quoted, chunk, span))
        }),
      }
    })
  }

  return {
    /**
     * Ids of all chunks that hold evidence, in chunk order, and the highest grade of what each holds, where one is not
     * 1; what is quoted from nowhere in the documents has none.
     */
    relevant(evidence: readonly Evidence[]): {
      readonly relevant: readonly string[]
      readonly grades?: readonly number[]
    } {
      const gradeOf = new Map<Chunk, number>()
      for (const one of evidence) {
        const span = spanOf(one)
        const held = span ? chunksOf(span.documentId).filter((chunk) => share(chunk, span)) : []
        for (const chunk of held) gradeOf.set(chunk, Math.max(one.grade ?? 1, gradeOf.get(chunk) ?? 0))
      }
      const found = [...gradeOf].sort(([a], [b]) => valueOf(places(), a) - valueOf(places(), b))
      const grades = found.map(([, grade]) => grade)
      return { relevant: found.map(([{ id }]) => id), ...(grades.some((grade) => grade !== 1) && { grades }) }
    },
    /** Adds to each passage the parts of documents that it quotes, and what of the evidence stands in them. */
    spans: withSpans,
    /** The same, and the keys of the paragraphs that stand in them. */
    annotate: <P extends Passage>(passages: readonly P[], evidence: readonly Evidence[] | undefined) =>
      withSpans(passages, evidence).map((passage): Annotated<P> => {
        const { text, documents: named, spans: quoted, derived } = passage
        if (!evidence || derived) return passage
        // words from outside the documents are a paragraph of their own
        const own = quoted.every(isOutside) ? [paragraphKey(text)] : paragraphKeys(named, quoted)
        return { ...passage, paragraphs: own }
      }),
    /** Where each piece of evidence stands, by what passages quote: those of the context, and those that came after. */
    places(
      evidence: readonly Evidence[],
      context: readonly Quoting[],
      beyond: readonly Quoting[],
    ): readonly EvidencePlace[] {
      const seen = context.flatMap(quotedBy)
      const ranked = [...seen, ...beyond.flatMap(quotedBy)]
      return evidence.map((one): EvidencePlace => {
        const span = spanOf(one)
        if (!span || !share(span, span)) return { absent: true }
        return { ...(!isUncut(one) && { cut: true as const }), context: held(seen, span), ranking: held(ranked, span) }
      })
    },
    /** Whether the words of a passage are those of the spans that it claims; true where it claims none. */
    holds: (passage: Passage): boolean =>
      passage.spans === undefined ||
      passage.spans.some(isOutside) ||
      passage.kind !== 'chunk' ||
      holdsItsSpans(passage, documents),
  }
}

const quotedBy = ({ derived, spans }: Quoting): readonly TextSpan[] => (derived ? [] : spans)

const sourceOf = (chunk: Chunk | undefined): readonly TextSpan[] =>
  chunk ? [{ documentId: chunk.documentId, start: chunk.start, end: chunk.end }] : []

const distinct = (keys: readonly string[]): readonly string[] => [...new Set(keys)]

/** The parts of documents that a passage quotes; undefined for a summary, facts, or words in none of its chunks. */
function quotedSpans(
  { kind, text, from, spans }: Passage,
  documents: ReadonlyMap<string, Document>,
  chunks: ReadonlyMap<string, Chunk>,
): readonly TextSpan[] | undefined {
  if (kind !== 'chunk') return undefined
  // checked when the ranking came
  if (spans) return spans
  const sources = from.flatMap((id) => chunks.get(id) ?? [])
  const whole = sources.map(spanOf)
  if (sources.length === 0) return []
  // a method may keep chunks that read alike as one passage: it quotes them all
  const alike = sources.filter((chunk) => chunk.text === text)
  if (alike.length > 0) return merged(alike.map(spanOf))
  const words = lettersOf(text)
  if (words === '') return []
  const joined = merged(whole)
  if (words === lettersIn(joined, documents)) return joined
  const part = partOf(text, joined, documents)
  if (part) return [part]
  // a method may set words around a chunk, such as a title
  const inside = sources.filter((chunk) => words.includes(lettersOf(chunk.text)) && lettersOf(chunk.text) !== '')
  return inside.length === 0 ? undefined : merged(inside.map(spanOf))
}

const holdsItsSpans = (
  { text, spans = [] }: Pick<Passage, 'text' | 'spans'>,
  documents: ReadonlyMap<string, Document>,
): boolean => verbatim(spans, documents) === text || lettersIn(spans, documents) === lettersOf(text)

const spanOf = ({ documentId, start, end }: Chunk): TextSpan => ({ documentId, start, end })

/** The text of one span as it stands; undefined for several. */
function verbatim(spans: readonly TextSpan[], documents: ReadonlyMap<string, Document>): string | undefined {
  const [only, ...others] = spans
  return only && others.length === 0 ? documents.get(only.documentId)?.text.slice(only.start, only.end) : undefined
}

const lettersIn = (spans: readonly TextSpan[], documents: ReadonlyMap<string, Document>): string =>
  spans.map(({ documentId, start, end }) => lettersOf(documents.get(documentId)?.text.slice(start, end) ?? '')).join('')

function partOf(
  text: string,
  spans: readonly TextSpan[],
  documents: ReadonlyMap<string, Document>,
): TextSpan | undefined {
  for (const { documentId, start, end } of spans) {
    const at = documents.get(documentId)?.text.slice(start, end).indexOf(text) ?? -1
    if (at >= 0) return { documentId, start: start + at, end: start + at + text.length }
  }
  return undefined
}

/** Spans in order, those that follow or overlap each other in one document made one. */
function merged(spans: readonly TextSpan[]): readonly TextSpan[] {
  const result: TextSpan[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last?.documentId === span.documentId && last.start <= span.start && span.start <= last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else result.push(span)
  }
  return result
}
