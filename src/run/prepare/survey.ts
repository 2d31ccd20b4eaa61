import { addFields } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import type { DocumentDigests, Manifest, SyntheticRecord } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import type { Corpus, Kind, Document } from '../../types.ts'
import { once } from '../../basics/memoise.ts'
import { mulberry32, seedFrom, shuffle } from '../../math/random.ts'
import { languageOf } from '../../text/language.ts'
import { sentences } from '../../text/sentences.ts'
import { words } from '../../text/words.ts'
import type { PlannedDataset } from '../../config/index.ts'

/** What a dataset holds, counted before anything is asked of it. */
export interface Survey {
  readonly corpora: number
  readonly documents: number
  readonly questions: number
  readonly kinds: ReadonlyMap<Kind, number>
  /** Of all questions together, by ISO 639-1; absent where it cannot be said. */
  readonly language?: string
  readonly withoutEvidence: number
  readonly withoutReference: number
  /** Whether every question of the whole dataset is known to have an answer. */
  readonly answerable: boolean
  /** Questions that a language model drafted, and which. */
  readonly synthetic?: SyntheticRecord
  /** What was met in its files and left out, counted; nothing that was met not once. */
  readonly leftOut: Readonly<Record<string, number>>
  readonly notes: readonly string[]
  /** The ids of the documents that `dataset.drop` leaves out, by corpus; absent where it is not set. */
  readonly dropped?: Manifest['dataset']['dropped']
  /** Absent where there are too many documents. */
  readonly digests?: DocumentDigests
}

/** Documents up to which a run remembers the digest of each. */
const mostDigests = 10_000

/** Reads a dataset once from end to end, so that what is malformed is found before a call is paid. Throws UserError. */
export async function survey(corpora: AsyncIterable<ShrunkCorpus>): Promise<Survey> {
  const kinds = new Map<Kind, number>()
  const drafters: string[] = []
  const texts: string[] = []
  const notes: string[] = []
  let found = 0
  let documents = 0
  let questions = 0
  let withoutEvidence = 0
  let withoutReference = 0
  const digests = new Map<string, DocumentDigests[string]>()
  const dropped = new Map<string, readonly string[]>()
  const orphaned: string[] = []
  let answerable = false
  let leftOut: Readonly<Record<string, number>> = {}
  for await (const corpus of corpora) {
    for (const { text, reference, evidence, synthetic } of corpus.questions) {
      texts.push(text)
      if (!evidence) withoutEvidence++
      if ('accepted' in reference && reference.accepted.length === 0) withoutReference++
      if (synthetic !== undefined) drafters.push(synthetic)
      kinds.set(reference.kind, (kinds.get(reference.kind) ?? 0) + 1)
    }
    if (documents + corpus.documents.length <= mostDigests)
      digests.set(
        corpus.id,
        Object.fromEntries(corpus.documents.map((one) => [one.id, hashOf([one.title ?? null, one.text]).slice(0, 12)])),
      )
    if (corpus.dropped) {
      const gone = corpus.dropped.map(({ id }) => id)
      dropped.set(corpus.id, gone)
      for (const { id, evidence = [] } of gone.length > 0 ? corpus.questions : [])
        if (evidence.some(({ documentId }) => gone.includes(documentId))) orphaned.push(id)
    }
    found++
    answerable ||= corpus.answerable ?? false
    documents += corpus.documents.length
    questions += corpus.questions.length
    leftOut = addFields(leftOut, corpus.leftOut ?? {})
    notes.push(...(corpus.notes ?? []))
  }
  if (questions === 0) throw new UserError('the dataset holds no questions')
  const language = await languageOf(texts)
  const met = Object.entries(leftOut).filter(([, count]) => count > 0)
  return {
    corpora: found,
    documents,
    questions,
    kinds,
    ...(language !== undefined && { language }),
    withoutEvidence,
    withoutReference,
    answerable,
    leftOut: Object.fromEntries(met),
    notes: [...notes, ...orphanNotes(orphaned)],
    ...(dropped.size > 0 && { dropped: Object.fromEntries(dropped) }),
    ...syntheticRecord(drafters),
    ...(documents <= mostDigests && { digests: Object.fromEntries(digests) }),
  }
}

/** Questions that a note names; the others are counted. */
const mostNamed = 5

/** That evidence of questions lies in documents that are left out: they are asked all the same. */
function orphanNotes(ids: readonly string[]): readonly string[] {
  if (ids.length === 0) return []
  const others = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : ''
  return [
    `evidence of ${ids.length} ${ids.length === 1 ? 'question' : 'questions'} lies in documents that dataset.drop leaves out, and counts as not found: ${ids.slice(0, mostNamed).join(', ')}${others}`,
  ]
}

/** The record of drafted questions, by the model of each; absent where there is none. */
export const syntheticRecord = (drafters: readonly string[]): { readonly synthetic?: SyntheticRecord } =>
  drafters.length === 0 ? {} : { synthetic: { questions: drafters.length, by: [...new Set(drafters)].sort() } }

/** The first `limit` questions, in order, with their corpora whole. */
export async function* limited(corpora: AsyncIterable<Corpus>, limit: number | undefined): AsyncGenerator<Corpus> {
  let left = limit ?? Infinity
  for await (const corpus of corpora) {
    if (left <= 0) return
    const questions = corpus.questions.slice(0, left)
    left -= questions.length
    if (questions.length > 0) yield { ...corpus, questions }
  }
}

/** A corpus and the documents that `dataset.drop` leaves out of it, the first drawn first. */
export type ShrunkCorpus = Corpus & { readonly dropped?: readonly Document[] }

/**
 * The corpora without the documents that are left out. They are drawn by seed and corpus: those of a smaller number are
 * the first ones of a larger. Documents come in the order of the draw, the last drawn first, so that what a smaller
 * corpus holds is the beginning of what a larger one holds. Throws UserError where a corpus would be empty.
 */
export async function* withoutDropped(
  corpora: AsyncIterable<Corpus>,
  drop: PlannedDataset['drop'],
  seed: number,
): AsyncGenerator<ShrunkCorpus> {
  for await (const corpus of corpora) {
    if (!drop) {
      yield corpus
      continue
    }
    const { id, documents } = corpus
    if (drop.documents >= documents.length)
      throw new UserError(
        `${drop.at}: dataset.drop: ${drop.documents} would leave no document of the corpus "${id}", which has ${documents.length}; say ${documents.length - 1} at most`,
      )
    const drawn = shuffle(documents, mulberry32(seedFrom(seed, 'drop', id)))
    const leftOut = addFields(corpus.leftOut ?? {}, { 'documents that dataset.drop leaves out': drop.documents })
    yield {
      ...{ ...corpus, leftOut, dropped: drawn.slice(0, drop.documents) },
      documents: drawn.slice(drop.documents).reverse(),
    }
  }
}

/** Sentences of fewer words may stand anywhere. */
const fewestWords = 5

/**
 * Whether a text holds a sentence of five words or more of a document that was left out, one that stands in no other
 * document, white space aside; undefined where none was left out.
 */
export function quotesDropped({ documents, dropped = [] }: ShrunkCorpus): ((text: string) => boolean) | undefined {
  if (dropped.length === 0) return undefined
  const own = once(() => {
    const kept = documents.map(({ text }) => plain(text))
    const gone = dropped.flatMap(({ text }) => sentences(text).map(({ start, end }) => plain(text.slice(start, end))))
    const isOwn = (one: string): boolean => !kept.some((text) => text.includes(one))
    return [...new Set(gone)].filter((one) => words(one).length >= fewestWords && isOwn(one))
  })
  return (text) => {
    const shown = plain(text)
    return own().some((one) => shown.includes(one))
  }
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
