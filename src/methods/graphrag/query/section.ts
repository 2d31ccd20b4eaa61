/** A table of a context: its text with the rows that it holds. */
export interface Section<T> {
  readonly text: string
  readonly tokens: number
  readonly items: readonly T[]
}

/**
 * The longest start of a list whose rows fit, under a head: a row costs its own tokens, and the first that does not fit ends it. Every row
 * ends with a line feed and begins with a number, so the tokens of the whole are those of its rows.
 */
export function fittingRows<T>(
  head: string,
  items: readonly T[],
  rowOf: (item: T) => string,
  tokens: number,
  count: (text: string) => number,
): Section<T> {
  const rows: string[] = []
  let spent = count(head)
  for (const item of items) {
    const row = rowOf(item)
    const cost = count(row)
    if (spent + cost > tokens) break
    spent += cost
    rows.push(row)
  }
  return { text: head + rows.join(''), tokens: spent, items: items.slice(0, rows.length) }
}
