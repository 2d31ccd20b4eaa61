import { isObject, plainData } from '../../basics/plain-data.ts'
import { messageOf } from '../../errors.ts'
import type { Corpus, Passage, Scorer } from '../../types.ts'

/** A copy of a plug-in's ranking, without unknown fields. Throws Error for what JSON cannot represent. */
export function copyRanking(ranking: unknown, method: string): readonly Passage[] {
  // whether they are passages is looked at next
  if (!Array.isArray(ranking)) return ranking as readonly Passage[]
  return (ranking as readonly (Passage | null)[]).map((passage, index) => {
    const { text, score, from, kind, spans, order, why } = passage ?? ({} as Partial<Passage>)
    const data = writable({ from, spans, why }, `${method} returned a passage (number ${index + 1})`)
    return { text, score, kind, ...(order !== undefined && { order }), ...data } as Passage
  })
}

/** A copy of a score; other values pass unchanged. Throws Error for what JSON cannot represent. */
export function copyScore(score: unknown, label: string): Awaited<ReturnType<Scorer['score']>> {
  if (typeof score !== 'object' || score === null) return score as never
  const { metrics, skipped, subsets, parts } = score as Readonly<Record<string, unknown>>
  const numbers = isObject(metrics) ? { metrics: { ...metrics } } : {}
  return { ...numbers, ...writable({ skipped, subsets, parts }, `${label} gave a score`) } as never
}

function writable(fields: object, where: string): object {
  try {
    return plainData(fields) as object
  } catch (error) {
    throw new Error(`${where} that cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** A corpus that the dataset cannot change any more; what is no corpus stays as it is, for the checks that follow. */
export function copyCorpus(corpus: Corpus): Corpus {
  if (typeof corpus !== 'object' || (corpus as Corpus | null) === null) return corpus
  const { documents, questions, ...rest } = corpus
  const copies = (list: unknown): unknown => (Array.isArray(list) ? list.map(plainData) : plainData(list))
  return { ...(plainData(rest) as object), documents: copies(documents), questions: copies(questions) } as Corpus
}
