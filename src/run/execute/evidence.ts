import { groupBy, valueOf } from '../../basics/collections.ts'
import { memoise, once } from '../../basics/memoise.ts'
import { hasLetters, lettersOf } from '../../text/characters.ts'
import { paragraphKey, paragraphs } from '../../text/sentences.ts'
import type { Chunk, ContextPassage, Corpus, Evidence, EvidencePlace, Held, Passage, TextSpan } from '../../types.ts'

type Annotated<P extends Passage> = P &
  Pick<ContextPassage, 'documents' | 'spans' | 'derived' | 'evidence' | 'relevant' | 'paragraphs'>

type Quoting = Pick<ContextPassage, 'spans' | 'derived'>

export type Locator = ReturnType<typeof locator>

/** Locates evidence and the sources of passages within one corpus. */
export function locator(corpus: Corpus, chunks: readonly Chunk[]) {
  const texts = new Map(corpus.documents.map(({ id, text }) => [id, text]))
  const textOf: TextOf = ({ documentId, start, end }) => texts.get(documentId)?.slice(start, end) ?? ''
  const chunkById = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const byDocument = once(() => groupBy(chunks, ({ documentId }) => documentId))
  const chunksOf = (documentId: string): readonly Chunk[] => byDocument().get(documentId) ?? []
  const places = once(() => new Map(chunks.map((chunk, place) => [chunk, place])))
  const paragraphsOf = memoise((documentId: string) =>
    paragraphs(texts.get(documentId) ?? '').map((paragraph) => ({
      ...paragraph,
      documentId,
      key: paragraphKey(paragraph.text),
    })),
  )

  const spanOf = memoise(({ documentId, text: quote, start: hint }: Evidence): TextSpan | undefined => {
    const text = texts.get(documentId)
    if (text === undefined) return undefined
    if (quote === undefined) return { documentId, start: 0, end: text.length }
    const start = hint !== undefined && text.startsWith(quote, hint) ? hint : text.indexOf(quote)
    return start < 0 ? undefined : { documentId, start, end: start + quote.length }
  })
  /** Whether two or three spans have a letter or digit in common. */
  const share = (a: TextSpan, b: TextSpan, c: TextSpan = b) => {
    if (a.documentId !== b.documentId || b.documentId !== c.documentId) return false
    const start = Math.max(a.start, b.start, c.start)
    const end = Math.min(a.end, b.end, c.end)
    return start < end && hasLetters(textOf({ documentId: a.documentId, start, end }))
  }
  /** Whether a span names a document that is not in the corpus. */
  const isOutside = ({ documentId, end }: TextSpan) => end === 0 && !texts.has(documentId)
  const quotes = (sources: readonly TextSpan[], first: TextSpan, second?: TextSpan) =>
    sources.some((span) => share(span, first, second))

  /** Keys of the paragraphs that a text quotes, in document order; one from outside the documents is its own. */
  const paragraphKeys = (text: string, documentIds: readonly string[], spans: readonly TextSpan[]) => {
    if (spans.every(isOutside)) return [paragraphKey(text)]
    const matches = documentIds.flatMap(paragraphsOf).filter((paragraph) => quotes(spans, paragraph))
    return distinct(matches.map(({ key }) => key))
  }

  /** How much of a span's letters and digits the sources cover. */
  const coverageOf = (sources: readonly TextSpan[], span: TextSpan): Held => {
    if (!quotes(sources, span)) return 'none'
    const hasWords = (start: number, end: number) => hasLetters(textOf({ ...span, start, end }))
    const inDocument = sources
      .filter(({ documentId }) => documentId === span.documentId)
      .toSorted((a, b) => a.start - b.start)
    let covered = span.start
    for (const { start, end } of inDocument) {
      if (start > covered && hasWords(covered, Math.min(start, span.end))) return 'part'
      covered = Math.max(covered, end)
    }
    return hasWords(covered, span.end) ? 'part' : 'whole'
  }

  /** Whether one chunk contains the whole piece of evidence. */
  const isUncut = memoise((evidence: Evidence) => {
    const span = spanOf(evidence)
    if (span === undefined) return false
    return chunksOf(span.documentId).some((chunk) => coverageOf([chunk], span) === 'whole')
  })

  const annotate = <P extends Passage>(
    passages: readonly P[],
    evidence: readonly Evidence[] | undefined,
    withParagraphs = true,
  ): readonly Annotated<P>[] => {
    const spans = evidence?.map(spanOf)
    return passages.map((passage): Annotated<P> => {
      const quotations = quotedSpans(passage, chunkById, textOf)
      const passageSpans = quotations ?? passage.from.flatMap((id) => sourceOf(chunkById.get(id)))
      // a chunk may be nothing but a document's last full stop: then it quotes no words
      const wordSpans = quotations?.filter((span) => isOutside(span) || share(span, span)) ?? passageSpans
      const documentIds = distinct(wordSpans.map(({ documentId }) => documentId))
      // other words under the id of a chunk lead nowhere; a summary declares its own words
      const leadsTo = quotations || passage.kind !== 'chunk' ? documentIds : []
      const result = {
        ...passage,
        documents: leadsTo,
        spans: passageSpans,
        ...(!quotations && { derived: true as const }),
      }
      if (!spans || !quotations) return result
      return {
        ...result,
        evidence: spans.flatMap((span, index) => (span && quotes(quotations, span) ? [index] : [])),
        relevant: passage.from.filter((id) => {
          const chunk = chunkById.get(id)
          return chunk && spans.some((span) => span && quotes(quotations, chunk, span))
        }),
        ...(withParagraphs && { paragraphs: paragraphKeys(passage.text, leadsTo, quotations) }),
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
      for (const piece of evidence) {
        const span = spanOf(piece)
        const holders = span ? chunksOf(span.documentId).filter((chunk) => share(chunk, span)) : []
        for (const chunk of holders) gradeOf.set(chunk, Math.max(piece.grade ?? 1, gradeOf.get(chunk) ?? 0))
      }
      const ranking = [...gradeOf].sort(([a], [b]) => valueOf(places(), a) - valueOf(places(), b))
      const grades = ranking.map(([, grade]) => grade)
      const hasGrades = grades.some((grade) => grade !== 1)
      return { relevant: ranking.map(([{ id }]) => id), ...(hasGrades && { grades }) }
    },
    /** Adds to each passage its source spans, and the evidence and the keys of the paragraphs in them. */
    annotate,
    /** Where each piece of evidence is found: in the context, or in the rest of the ranking. */
    places(
      evidence: readonly Evidence[],
      context: readonly Quoting[],
      rest: readonly Quoting[],
    ): readonly EvidencePlace[] {
      const contextSpans = context.flatMap(quotedBy)
      const rankedSpans = [...contextSpans, ...rest.flatMap(quotedBy)]
      return evidence.map((piece): EvidencePlace => {
        const span = spanOf(piece)
        if (!span || !share(span, span)) return { absent: true }
        return {
          ...(!isUncut(piece) && { cut: true as const }),
          context: coverageOf(contextSpans, span),
          ranking: coverageOf(rankedSpans, span),
        }
      })
    },
    /** Whether the words of a passage are those of the spans that it declares. */
    holds: (passage: Passage): boolean =>
      passage.spans === undefined ||
      passage.spans.some(isOutside) ||
      passage.kind !== 'chunk' ||
      holdsItsSpans(passage, textOf),
  }
}

const quotedBy = ({ derived: isDerived, spans }: Quoting) => (isDerived ? [] : spans)

const sourceOf = (chunk: Chunk | undefined): readonly TextSpan[] =>
  chunk ? [{ documentId: chunk.documentId, start: chunk.start, end: chunk.end }] : []

const distinct = (keys: readonly string[]) => [...new Set(keys)]

/** The words of a span in its document. */
type TextOf = (span: TextSpan) => string

function quotedSpans(
  { kind, text, from, spans }: Passage,
  chunks: ReadonlyMap<string, Chunk>,
  textOf: TextOf,
): readonly TextSpan[] | undefined {
  if (kind !== 'chunk') return undefined
  // checked when the ranking came
  if (spans) return spans
  const sources = from.flatMap((id) => chunks.get(id) ?? [])
  if (sources.length === 0) return []
  // a method may keep chunks that read alike as one passage: it quotes them all
  const alike = sources.filter((chunk) => chunk.text === text)
  if (alike.length > 0) return mergeSpans(alike)
  const words = lettersOf(text)
  if (words === '') return []
  const joinedSpans = mergeSpans(sources)
  if (words === lettersIn(joinedSpans, textOf)) return joinedSpans
  for (const span of joinedSpans) {
    const at = textOf(span).indexOf(text)
    if (at >= 0) return [{ ...span, start: span.start + at, end: span.start + at + text.length }]
  }
  // a method may set words around a chunk, such as a title
  const inside = sources.filter((chunk) => {
    const letters = lettersOf(chunk.text)
    return letters !== '' && words.includes(letters)
  })
  return inside.length === 0 ? undefined : mergeSpans(inside)
}

function holdsItsSpans({ text, spans = [] }: Pick<Passage, 'text' | 'spans'>, textOf: TextOf) {
  const [first, ...more] = spans
  const isVerbatim = first !== undefined && more.length === 0 && textOf(first) === text
  return isVerbatim || lettersIn(spans, textOf) === lettersOf(text)
}

const lettersIn = (spans: readonly TextSpan[], textOf: TextOf) => spans.map((span) => lettersOf(textOf(span))).join('')

/** Spans in order, those that follow or overlap each other in one document made one. */
function mergeSpans(spans: readonly TextSpan[]): readonly TextSpan[] {
  const result: TextSpan[] = []
  for (const { documentId, start, end } of spans) {
    const span = { documentId, start, end }
    const last = result.at(-1)
    if (last?.documentId === span.documentId && last.start <= span.start && span.start <= last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else result.push(span)
  }
  return result
}
