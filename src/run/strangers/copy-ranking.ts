import { longestData, plainData } from '../../basics/plain-data.ts'
import { messageOf } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Passage } from '../../types.ts'

/** A stranger's ranking, each field of a passage read once and none but those that a passage has; what is no ranking stays as it is, for the checks that follow. Throws Error for what no result file can hold. */
export function copyRanking(ranking: unknown, method: string): readonly Passage[] {
  if (!Array.isArray(ranking)) return ranking as readonly Passage[]
  let characters = 0
  return Array.from(ranking as readonly unknown[], (passage, index) => {
    const copy = copyPassage(passage, `${method} returned a passage (number ${index + 1})`)
    characters += typeof copy.text === 'string' ? copy.text.length : 0
    if (characters > longestData) throw new Error(`${method} returned passages of more than ${longestData} characters`)
    return copy
  })
}

function copyPassage(passage: unknown, where: string): Passage {
  if (typeof passage !== 'object' || passage === null) throw new Error(`${where} that is ${describe(passage)}`)
  const { text, score, from, kind, spans, order, why } = passage as Readonly<Record<keyof Passage, unknown>>
  const copy: Readonly<Record<keyof Passage, unknown>> = {
    ...{ text, score: primitive(score), kind: primitive(kind), order: primitive(order) },
    ...{ from: data('from', from, where), spans: data('spans', spans, where), why: data('why', why, where) },
  }
  return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined)) as unknown as Passage
}

/** An object, which may run code when it is made a text, by its kind. */
const primitive = (value: unknown): unknown =>
  typeof value === 'object' || typeof value === 'function' ? describe(value) : value

function data(field: string, value: unknown, where: string): unknown {
  try {
    return plainData(value)
  } catch (error) {
    throw new Error(`${where} whose "${field}" cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}
