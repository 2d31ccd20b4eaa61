import { slices } from '../../../basics/slices.ts'

/** A text as the model reads it: the ids of its tokens. */
export type Row = readonly number[]

/** Tokens of a batch: enough to keep the cores busy; more would only make others wait longer. */
export const tokensOfBatch = 1024

/**
 * Tokens to which a row is filled up: a matter of its own length, so that its vector does not depend on its neighbours. The runtime adds numbers
 * up by fours, and what is left over one by one. A row with one or two tokens left over has the bits that it would have if it were filled up to
 * a multiple of four, as rows once were; three would be added in another order, so such a row gets a fourth.
 */
export const paddedLength = ({ length }: Row): number => (length % 4 === 3 ? length + 1 : length)

/** The row itself, or its beginning and its last token: that closes the text for the model. */
export const shortened = (row: Row, most: number): Row =>
  row.length <= most ? row : [...row.slice(0, most - 1), ...row.slice(-1)]

/** The ids of rows of one padded length, one after the other, filled up with `padding`, and what is a token among them (1). */
export function padded(rows: readonly Row[], padding = 0): { ids: BigInt64Array; mask: BigInt64Array; length: number } {
  const length = Math.max(...rows.map(paddedLength))
  const ids = new BigInt64Array(rows.length * length).fill(BigInt(padding))
  const mask = new BigInt64Array(rows.length * length)
  for (const [index, row] of rows.entries()) {
    ids.set(row.map(BigInt), index * length)
    mask.fill(1n, index * length, index * length + row.length)
  }
  return { ids, mask, length }
}

/** Runs rows in batches of one padded length each, shortest first; gives one result per row, in the order of the rows. */
export async function inBatches<T>(
  rows: readonly Row[],
  run: (batch: readonly Row[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const results = new Array<T>(rows.length)
  for (const places of batchesOf(rows)) {
    const made = await run(places.map((place) => rows[place] ?? []))
    for (const [index, result] of made.entries()) results[places[index] ?? 0] = result
  }
  return results
}

/** The rows' places in the list, batch by batch. */
export function batchesOf(rows: readonly Row[]): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>()
  for (const [place, row] of rows.entries()) {
    const length = paddedLength(row)
    const group = groups.get(length)
    if (group) group.push(place)
    else groups.set(length, [place])
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .flatMap(([length, places]) => [...slices(places, Math.max(1, Math.floor(tokensOfBatch / length)))])
}
