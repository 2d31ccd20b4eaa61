import type { Budget, Passage } from '../../types.ts'

/** Counts the tokens of a text. */
export type Count = (text: string) => number

/** A section of a context: its text and the items in it. */
export interface Section<T> {
  readonly text: string
  readonly tokens: number
  readonly items: readonly T[]
}

/** The longest prefix of a list whose rows fit `tokens` below a header. Rows bring their line feeds. */
export function fittingRows<T>(
  head: string,
  items: readonly T[],
  rowOf: (item: T, place: number) => string,
  tokens: number,
  count: Count,
): Section<T> {
  const rows: string[] = []
  let usedTokens = count(head)
  for (const [place, item] of items.entries()) {
    const row = rowOf(item, place)
    const cost = count(row)
    if (usedTokens + cost > tokens) break
    usedTokens += cost
    rows.push(row)
  }
  return { text: head + rows.join(''), tokens: usedTokens, items: items.slice(0, rows.length) }
}

/** Items in groups of consecutive ones with up to `most` tokens; a group has at least `least` items, the last fewer. */
export function packByTokens<T>(
  items: readonly T[],
  tokensOf: (item: T) => number,
  most: number,
  least = 1,
): readonly (readonly T[])[] {
  const groups: T[][] = []
  let tokens = 0
  for (const item of items) {
    const last = groups.at(-1)
    const cost = tokensOf(item)
    tokens += cost
    if (last && (tokens <= most || last.length < least)) last.push(item)
    else {
      groups.push([item])
      tokens = cost
    }
  }
  return groups
}

/** The longest prefix of a list that fits `tokens` as lines of JSON, which are written as Python's json.dumps does. */
export const fittingLines = <T>(
  items: readonly T[],
  recordOf: (item: T) => Readonly<Record<string, string>>,
  tokens: number,
  count: Count,
): Section<T> =>
  fittingRows('', items, (item, place) => `${place > 0 ? '\n' : ''}${jsonLine(recordOf(item))}`, tokens, count)

function jsonLine(record: Readonly<Record<string, string>>): string {
  const fields = Object.entries(record).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
  return `{${fields.join(', ')}}`
}

/** Passages that `rankSections` puts into order. */
type Unranked = Omit<Passage, 'score' | 'order'>

/**
 * A ranking of chunks, then tables and reports, because only chunks quote; read in the order reports, tables, chunks.
 * Chunks leave room for the tables and for one report.
 */
export function rankSections(
  chunks: readonly Unranked[],
  tables: readonly Unranked[],
  reports: readonly Unranked[],
  { passages: most }: Pick<Budget, 'passages'>,
): readonly Passage[] {
  const room = Math.max(1, most - tables.length - Math.min(1, reports.length))
  return [
    ...chunks.slice(0, room).map((chunk, place) => ({ ...chunk, order: place + 1 })),
    ...tables.map((table) => ({ ...table, order: 0 })),
    ...reports.map((report, place) => ({ ...report, order: place - reports.length })),
  ]
    .slice(0, most)
    .map((passage, place) => ({ ...passage, score: -place }))
}
