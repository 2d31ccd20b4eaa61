import { longestData, plainData } from '../../basics/plain-data.ts'
import { messageOf } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Corpus, Passage, Scorer } from '../../types.ts'

/** A plug-in's ranking, each field read once; what is no ranking stays. Throws Error for what is no JSON. */
export function copyRanking(ranking: unknown, method: string): readonly Passage[] {
  if (!Array.isArray(ranking)) return ranking as readonly Passage[]
  let characters = 0
  const copies: unknown = Array.from(ranking as readonly unknown[], (passage, index) => {
    const copy = copyPassage(passage, `${method} returned a passage (number ${index + 1})`)
    characters += typeof copy['text'] === 'string' ? copy['text'].length : 0
    if (characters > longestData) throw new Error(`${method} returned passages of more than ${longestData} characters`)
    return copy
  })
  // whether they are passages is looked at next
  return copies as readonly Passage[]
}

function copyPassage(passage: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof passage !== 'object' || passage === null) throw new Error(`${where} that is ${describe(passage)}`)
  const { text, score, from, kind, spans, order, why } = passage as Readonly<Record<keyof Passage, unknown>>
  const copy: Readonly<Record<keyof Passage, unknown>> = {
    ...{ text, score: primitive(score), kind: primitive(kind), order: primitive(order) },
    ...{ from: data('from', from, where), spans: data('spans', spans, where), why: data('why', why, where) },
  }
  return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined))
}

/** An object, which may run code when it is made a text, by its kind; a symbol as a text. */
function primitive(value: unknown): unknown {
  if (typeof value === 'symbol') return String(value)
  return typeof value === 'object' || typeof value === 'function' ? describe(value) : value
}

function data(field: string, value: unknown, where: string): unknown {
  try {
    return plainData(value)
  } catch (error) {
    throw new Error(`${where} whose "${field}" cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** A score, each field read once; what is no score stays as it is. Throws Error for what is no JSON. */
export function copyScore(score: unknown, label: string): Awaited<ReturnType<Scorer['score']>> {
  if (typeof score !== 'object' || score === null) return score as never
  const { metrics, skipped, subsets, parts } = score as Readonly<Record<string, unknown>>
  try {
    const isRecord = typeof metrics === 'object' && metrics !== null && !Array.isArray(metrics)
    const numbers = isRecord ? { metrics: Object.fromEntries(Object.entries(metrics).map(withoutCode)) } : {}
    return { ...numbers, ...(plainData({ skipped, subsets, parts }) as object) } as never
  } catch (error) {
    throw new Error(`${label} gave a score that cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** A metric that is an object may run code when it is made a number: an empty one stands for it. */
const withoutCode = ([metric, value]: readonly [string, unknown]): readonly [string, unknown] => [
  metric,
  typeof value === 'object' || typeof value === 'function' ? {} : value,
]

/** A corpus that the dataset cannot change any more; what is no corpus stays as it is, for the checks that follow. */
export function copyCorpus(corpus: Corpus): Corpus {
  if (typeof corpus !== 'object' || (corpus as Corpus | null) === null) return corpus
  const { documents, questions, ...rest } = corpus
  const copies = (list: unknown): unknown => (Array.isArray(list) ? list.map(plainData) : plainData(list))
  return { ...(plainData(rest) as object), documents: copies(documents), questions: copies(questions) } as Corpus
}
