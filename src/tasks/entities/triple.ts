import { z } from 'zod'

/** A fact: subject, predicate, object (HippoRAG 2, section 3.1). */
export type Triple = readonly [subject: string, predicate: string, object: string]

/** A word or name of a reply; models write years and truths bare. */
export const wordShape = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  z.string(),
)

/** The same where a reply may leave it out: empty for null or nothing. */
export const optionalWordShape = z.preprocess((value) => value ?? '', wordShape)

/** The shape of a triple in a reply. */
export const tripleShape = z.tuple([wordShape, wordShape, wordShape])

/** A list of three words as a triple; nothing of anything else. */
export function tripleOf(raw: unknown): readonly Triple[] {
  const read = tripleShape.safeParse(raw)
  return read.success ? [read.data] : []
}
