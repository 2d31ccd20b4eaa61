import { extractTriples, nameEntities, type Triple } from '../../../tasks/open-ie.ts'
import type { Models } from '../../../types.ts'
import { runEach } from '../attempt.ts'

/** The facts of passages, and what was lost on the way; `missing` passages stand in no imported file. */
export interface OpenIe {
  /** Of each passage, in order; none twice. */
  readonly triples: readonly (readonly Triple[])[]
  readonly failures: number
  readonly malformed: number
  readonly repeated: number
  readonly missing: number
}

/**
 * Open information extraction, two calls a passage (HippoRAG 2, section 3.1): its named entities, then triples around them. Names that
 * could not be read leave the second call without any; triples that could not be read leave the passage without facts. Throws ModelError
 * where no reply to one of the two was of use.
 */
export async function openIe(passages: readonly string[], models: Models): Promise<OpenIe> {
  const named = await runEach(
    models,
    nameEntities,
    passages.map((passage) => ({ passage })),
  )
  const replies = await runEach(
    models,
    extractTriples,
    passages.map((passage, index) => ({ passage, entities: named[index]?.named_entities ?? [] })),
  )
  const triples = replies.map((reply) => distinct(reply?.triples ?? []))
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return {
    triples,
    failures: [...named, ...replies].filter((reply) => reply === undefined).length,
    malformed: sum(replies.map((reply) => reply?.malformed ?? 0)),
    repeated: sum(replies.map((reply, index) => (reply?.triples.length ?? 0) - (triples[index]?.length ?? 0))),
    missing: 0,
  }
}

/** Each triple once, in order. */
export const distinct = (triples: readonly Triple[]): readonly Triple[] => [
  ...new Map(triples.map((triple) => [JSON.stringify(triple), triple])).values(),
]
