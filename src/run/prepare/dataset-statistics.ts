import { addFields } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { hashOf } from '../../text/hash.ts'
import type { Corpus, Kind } from '../../types.ts'
import { languageOf } from '../../text/language.ts'

export type DatasetStatistics = Awaited<ReturnType<typeof countDataset>>

/** In which order a dataset has its corpora and questions: results are sorted by it without reading it again. */
export type DatasetOrder = DatasetStatistics['order']

/** Documents up to which a run remembers the digest of each. */
const mostDigests = 10_000

/** Reads a dataset once, so that malformed records are found before any call. Throws UserError. */
export async function countDataset(corpora: AsyncIterable<Corpus>) {
  const order = {
    /** Places of corpora, and of questions among all, by id. */
    corpora: new Map<string, number>(),
    questions: new Map<string, number>(),
  }
  /** `withAssertions`: with texts that their answer must contain, or must not. */
  const counts = { corpora: 0, documents: 0, questions: 0, withoutEvidence: 0, withoutReference: 0, withAssertions: 0 }
  const kinds = new Map<Kind, number>()
  const drafters: (string | undefined)[] = []
  const texts: string[] = []
  const notes: string[] = []
  const digests: Record<string, Readonly<Record<string, string>>> = {}
  let answerable = false
  let leftOut: Readonly<Record<string, number>> = {}
  for await (const corpus of corpora) {
    const { id: corpusId, documents, questions } = corpus
    order.corpora.set(corpusId, counts.corpora)
    for (const { id, text, reference, evidence, synthetic, mustContain, mustNotContain } of questions) {
      order.questions.set(id, order.questions.size)
      texts.push(text)
      if (!evidence) counts.withoutEvidence++
      if ('accepted' in reference && reference.accepted.length === 0) counts.withoutReference++
      if (mustContain || mustNotContain) counts.withAssertions++
      drafters.push(synthetic)
      kinds.set(reference.kind, (kinds.get(reference.kind) ?? 0) + 1)
    }
    counts.corpora++
    counts.documents += documents.length
    counts.questions += questions.length
    if (counts.documents <= mostDigests)
      digests[corpusId] = Object.fromEntries(
        documents.map(({ id, title = null, text }) => [id, hashOf([title, text]).slice(0, 12)]),
      )
    answerable ||= corpus.answerable ?? false
    leftOut = addFields(leftOut, corpus.leftOut ?? {})
    notes.push(...(corpus.notes ?? []))
  }
  if (counts.questions === 0) throw new UserError('the dataset holds no questions')
  return {
    ...counts,
    order,
    kinds,
    /** Whether every question of the whole dataset is known to be answerable. */
    answerable,
    /** Counts of what its files hold and the run leaves out. */
    leftOut: Object.fromEntries(Object.entries(leftOut).filter(([, count]) => count > 0)),
    notes,
    /** Of all questions together, ISO 639-1; undefined where it is not determined. */
    language: await languageOf(texts),
    synthetic: syntheticRecord(drafters),
    /** Undefined where there are too many documents. */
    digests: counts.documents <= mostDigests ? digests : undefined,
  }
}

/** The record of drafted questions, by the models that drafted each, if any; undefined where none is drafted. */
export function syntheticRecord(drafters: readonly (string | undefined)[]) {
  const models = drafters.filter((model) => model !== undefined)
  return models.length === 0 ? undefined : { questions: models.length, by: [...new Set(models)].sort() }
}

/** The first `count` questions, in order, with their whole corpora. */
export async function* firstQuestions(corpora: AsyncIterable<Corpus>, count = Infinity) {
  let remaining = count
  for await (const corpus of corpora) {
    if (remaining <= 0) return
    const questions = corpus.questions.slice(0, remaining)
    remaining -= questions.length
    if (questions.length > 0) yield { ...corpus, questions }
  }
}
