/** A retrieved item; higher scores are better. */
export interface Retrieved {
  readonly id: string
  readonly score: number
}

/** trec_eval's order: scores descending as 32-bit floats, ties by id descending in bytes (9.0.8, form_res_rels.c). */
export const trecOrder = <R extends Retrieved>(run: readonly R[]): R[] =>
  run.toSorted(
    (a, b) => Math.fround(b.score) - Math.fround(a.score) || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)),
  )
