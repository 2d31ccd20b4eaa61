import { countEach, groupBy } from '../../basics/collections.ts'
import { chunk } from '../../chunking/index.ts'
import type { Plan } from '../../config/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Corpus, Document, Evidence, Question } from '../../types.ts'

/** Corpora with some of their documents and questions. */
export type SampledData = Awaited<ReturnType<typeof sampleData>>['large']

/**
 * Counts the chunks of a dataset, and samples its first corpora: about `most.chunks` chunks and `most.questions`
 * questions of all kinds; and half of the chunks, where the first sample has not all documents.
 */
export async function sampleData(
  corpora: AsyncIterable<Corpus>,
  settings: Plan['chunks'],
  most: { readonly chunks: number; readonly questions: number },
) {
  const sizes: Sized[] = []
  const first: (Sized & { readonly corpus: Corpus })[] = []
  let isFull = false
  for await (const corpus of corpora) {
    const size = sizeOf(corpus, settings)
    sizes.push(size)
    const chunkCount = first.reduce((sum, { chunks }) => sum + chunks, 0)
    isFull ||= first.length > 0 && chunkCount + size.chunks > most.chunks
    if (!isFull) first.push({ ...size, corpus })
  }
  const perCorpus = Math.ceil(most.questions / first.length)
  const sampleOf = (share: number) => {
    const cut = first.map(({ corpus, chunksOf, chunks }) => {
      const questions = spacedByKind(corpus.questions, perCorpus)
      return withDocuments({ ...corpus, questions }, chunksOf, share * Math.min(chunks, most.chunks))
    })
    return { corpora: cut, size: together(cut.map((corpus) => sizeOf(corpus, settings))) }
  }
  const dataset = together(sizes)
  const large = sampleOf(1)
  return { dataset, large, ...(large.size.chunks < dataset.chunks && { small: sampleOf(0.5) }) }
}

type Sized = ReturnType<typeof sizeOf>

function sizeOf({ documents, questions }: Corpus, settings: Plan['chunks']) {
  const words = tokenizer(settings.tokenizer)
  /** Chunks of each document. */
  const chunksOf = documents.map((document, place) => chunk(document, place, settings, words).length)
  return {
    chunksOf,
    chunks: chunksOf.reduce((sum, count) => sum + count, 0),
    kinds: questions.map(({ reference }) => reference.kind),
  }
}

/** What decides how much a run asks of models. */
export type DataSize = ReturnType<typeof together>

function together(sizes: readonly Sized[]) {
  const kinds = sizes.flatMap((size) => size.kinds)
  return {
    corpora: sizes.length,
    chunks: sizes.reduce((sum, { chunks }) => sum + chunks, 0),
    questions: countEach(kinds),
    /** Chunks in the corpus of a question, mean over questions. */
    chunksPerQuestion: sizes.reduce((sum, size) => sum + size.chunks * size.kinds.length, 0) / kinds.length,
  }
}

/** About `most` questions, of each kind its share and one at least. */
const spacedByKind = (questions: readonly Question[], most: number): readonly Question[] =>
  [...groupBy(questions, ({ reference }) => reference.kind).values()].flatMap((questionsOfKind) =>
    pickEvenly(questionsOfKind, Math.ceil((most * questionsOfKind.length) / questions.length)),
  )

function pickEvenly<T>(items: readonly T[], count: number): readonly T[] {
  const picksBefore = (at: number) => Math.floor((at * count) / items.length)
  return items.filter((_, at) => picksBefore(at + 1) > picksBefore(at))
}

/** The corpus with about `limit` chunks: documents with evidence first; the last one is truncated. */
function withDocuments(corpus: Corpus, chunksOf: readonly number[], limit: number): Corpus {
  const evidences = corpus.questions.flatMap(({ evidence = [] }) => evidence)
  const evident = new Set(evidences.map(({ documentId }) => documentId))
  const documents = corpus.documents.map((document, at) => ({ document, at, chunks: chunksOf[at] ?? 0 }))
  const first = documents.filter(({ document }) => evident.has(document.id))
  const rest = documents.filter(({ document }) => !evident.has(document.id))
  const chunksIn = (list: typeof documents): number => list.reduce((sum, { chunks }) => sum + chunks, 0)
  const share = Math.max(0, limit - chunksIn(first)) / Math.max(1, chunksIn(rest))
  const selection: { readonly at: number; readonly document: Document }[] = []
  let remaining = limit
  const further = pickEvenly(rest, Math.min(rest.length, share * rest.length))
  for (const { document, at, chunks } of [...first, ...further]) {
    if (remaining <= 0) break
    const { length } = document.text
    const end = chunks <= remaining ? length : Math.ceil((length * remaining) / chunks)
    const text = document.text.slice(0, end)
    if (text.trim() !== '') selection.push({ at, document: { ...document, text } })
    remaining -= chunks
  }
  const texts = new Map(selection.map(({ document }) => [document.id, document.text]))
  const isKept = ({ documentId, text = '', missing }: Evidence): boolean =>
    missing ?? texts.get(documentId)?.includes(text) ?? false
  const questions = corpus.questions.map(({ evidence, decomposition, ...question }) => ({
    ...question,
    ...(evidence && { evidence: evidence.filter(isKept) }),
    ...(decomposition && {
      decomposition: decomposition.filter(({ documentId }) => documentId === undefined || texts.has(documentId)),
    }),
  }))
  selection.sort((a, b) => a.at - b.at)
  return { ...corpus, documents: selection.map(({ document }) => document), questions }
}
