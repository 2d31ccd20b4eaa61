import { z } from 'zod'
import type { Counting } from './published-dataset.ts'

/** The option of a dataset of which a paper takes the first items only. */
export const firstItems = (items: string, taker = 'GoR takes 30 of test and 400 of train') =>
  z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(`Largest number of ${items}, the first ones after all filters; ${taker}; null: all`)

/** Says of each item in turn whether it is one of the first so many, and counts those that are not; null: all are. */
export function firstOnly(limit: number | null, items: string, { leftOut }: Pick<Counting, 'leftOut'>): () => boolean {
  let count = 0
  return () => {
    if (count === limit) {
      leftOut(`${items} beyond the number asked for`)
      return false
    }
    count++
    return true
  }
}

/** The same of texts with more than so many words, as GoR counts them: runs of signs without white space. */
export function firstLong(
  limit: number | null,
  items: string,
  minWords: number,
  { holds, leftOut }: Counting,
): (text: string) => boolean {
  const isFirst = firstOnly(limit, items, { leftOut })
  return (text) => {
    holds(items)
    if (wordCount(text) <= minWords) {
      leftOut(`${items} of at most ${minWords} words`)
      return false
    }
    holds(`${items} of more than ${minWords} words`)
    return isFirst()
  }
}

const wordCount = (text: string) => text.match(/\S+/g)?.length ?? 0
