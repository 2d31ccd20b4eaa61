import { addFields } from '../../basics/collections.ts'
import { chunk } from '../../chunking/index.ts'
import type { Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { DocumentDigests, SyntheticRecord } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import type { Corpus, Kind } from '../../types.ts'
import { languageOf } from '../../text/language.ts'
import { tokenizer } from '../../text/tokens.ts'

/** Statistics of a dataset, computed before any call. */
export interface DatasetStatistics {
  readonly corpora: number
  readonly documents: number
  readonly questions: number
  readonly kinds: ReadonlyMap<Kind, number>
  /** Of all questions together, ISO 639-1; absent where it is not determined. */
  readonly language?: string
  readonly withoutEvidence: number
  readonly withoutReference: number
  /** Questions with texts that their answer must contain, or must not. */
  readonly withAssertions: number
  /** Whether every question of the whole dataset is known to be answerable. */
  readonly answerable: boolean
  /** Questions that a language model drafted, and which. */
  readonly synthetic?: SyntheticRecord
  /** Counts of what its files hold and the run leaves out. */
  readonly leftOut: Readonly<Record<string, number>>
  readonly notes: readonly string[]
  /** Absent where there are too many documents. */
  readonly digests?: DocumentDigests
  /** Tokens of the shortest chunk if no chunk fits the budget; absent if one does. */
  readonly leastChunk?: number
  readonly order: DatasetOrder
}

/** In which order a dataset has its corpora and questions: results are sorted by it without reading it again. */
export interface DatasetOrder {
  /** By id: corpora and questions before a corpus, and its own questions. */
  readonly corpora: ReadonlyMap<
    string,
    { readonly place: number; readonly questionsBefore: number; readonly questions: number }
  >
  /** The place of a question among all, by id. */
  readonly questions: ReadonlyMap<string, number>
}

/** Documents up to which a run remembers the digest of each. */
const mostDigests = 10_000

type ChunkPlan = Pick<Plan, 'chunks' | 'budget'>

/** Reads a dataset once, so that malformed records are found before any call. Throws UserError. */
export async function countDataset(corpora: AsyncIterable<Corpus>, plan: ChunkPlan): Promise<DatasetStatistics> {
  const shortest = shortestOverBudget(plan)
  const order = {
    corpora: new Map<string, { place: number; questionsBefore: number; questions: number }>(),
    questions: new Map<string, number>(),
  }
  const counts = { corpora: 0, documents: 0, questions: 0, withoutEvidence: 0, withoutReference: 0, withAssertions: 0 }
  const kinds = new Map<Kind, number>()
  const drafters: string[] = []
  const texts: string[] = []
  const notes: string[] = []
  const digests: Record<string, DocumentDigests[string]> = {}
  let answerable = false
  let leftOut: Readonly<Record<string, number>> = {}
  for await (const corpus of corpora) {
    const { documents, questions } = corpus
    order.corpora.set(corpus.id, {
      place: counts.corpora,
      questionsBefore: counts.questions,
      questions: questions.length,
    })
    shortest.add(corpus)
    for (const { id, text, reference, evidence, synthetic, mustContain, mustNotContain } of questions) {
      order.questions.set(id, order.questions.size)
      texts.push(text)
      if (!evidence) counts.withoutEvidence++
      if ('accepted' in reference && reference.accepted.length === 0) counts.withoutReference++
      if (mustContain || mustNotContain) counts.withAssertions++
      if (synthetic !== undefined) drafters.push(synthetic)
      kinds.set(reference.kind, (kinds.get(reference.kind) ?? 0) + 1)
    }
    counts.corpora++
    counts.documents += documents.length
    counts.questions += questions.length
    if (counts.documents <= mostDigests)
      digests[corpus.id] = Object.fromEntries(
        documents.map(({ id, title = null, text }) => [id, hashOf([title, text]).slice(0, 12)]),
      )
    answerable ||= corpus.answerable ?? false
    leftOut = addFields(leftOut, corpus.leftOut ?? {})
    notes.push(...(corpus.notes ?? []))
  }
  if (counts.questions === 0) throw new UserError('the dataset holds no questions')
  const language = await languageOf(texts)
  const synthetic = syntheticRecord(drafters)
  const leastChunk = shortest.tokens()
  return {
    ...counts,
    order,
    kinds,
    answerable,
    leftOut: Object.fromEntries(Object.entries(leftOut).filter(([, count]) => count > 0)),
    notes,
    ...(leastChunk !== undefined && { leastChunk }),
    ...(language !== undefined && { language }),
    ...(synthetic && { synthetic }),
    ...(counts.documents <= mostDigests && { digests }),
  }
}

/** The shortest chunk of a dataset, until one fits the budget. */
function shortestOverBudget({ chunks, budget }: ChunkPlan) {
  // no chunk is longer than its limit; those of `semantic` need vectors
  let isFitting = chunks.by === 'semantic' || (chunks.by !== 'none' && budget.tokens >= chunks.size)
  let least = Infinity
  const words = tokenizer(chunks.tokenizer)
  return {
    add({ documents }: Corpus): void {
      for (const [index, document] of documents.entries()) {
        if (isFitting) return
        const counts = chunk(document, index, chunks, words).map(({ text }) => words.count(text))
        least = counts.reduce((shortest, count) => Math.min(shortest, count), least)
        isFitting = least <= budget.tokens
      }
    },
    tokens: (): number | undefined => (isFitting || least === Infinity ? undefined : least),
  }
}

/** The record of drafted questions, by the models that drafted them; undefined where none is drafted. */
export const syntheticRecord = (drafters: readonly string[]): SyntheticRecord | undefined =>
  drafters.length === 0 ? undefined : { questions: drafters.length, by: [...new Set(drafters)].sort() }

/** The first `count` questions, in order, with their whole corpora. */
export async function* firstQuestions(corpora: AsyncIterable<Corpus>, count = Infinity): AsyncGenerator<Corpus> {
  let remaining = count
  for await (const corpus of corpora) {
    if (remaining <= 0) return
    const questions = corpus.questions.slice(0, remaining)
    remaining -= questions.length
    if (questions.length > 0) yield { ...corpus, questions }
  }
}
