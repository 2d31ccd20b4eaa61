import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { toDotPath } from 'zod/v4/core'
import { messageOf, UserError } from '../../errors.ts'
import type { Grounding } from '../../tasks/grounding.ts'
import { extractTriples, nameEntities, tripleOf, type Triple } from '../../tasks/entities.ts'
import type { Models } from '../../types.ts'
import { runEach } from './attempt.ts'

/** The facts of passages, and what was lost on the way; `missing` passages stand in no imported file. */
interface OpenIe {
  /** Of each passage, in order; none twice. */
  readonly triples: readonly (readonly Triple[])[]
  readonly failures: number
  readonly malformed: number
  readonly repeated: number
  readonly missing: number
}

/**
 * Open information extraction, two calls a passage (HippoRAG 2, section 3.1): its named entities, then triples around
 * them. Names that could not be read leave the second call without any; triples that could not be read leave the
 * passage without facts. Both are checked against the passage. Throws ModelError where no reply to one of the two was
 * of use.
 */
export async function openIe(passages: readonly string[], models: Models, grounding: Grounding): Promise<OpenIe> {
  const keeps = passages.map(grounding.on)
  const named = await runEach(
    models,
    nameEntities,
    passages.map((passage) => ({ passage })),
  )
  const replies = await runEach(
    models,
    extractTriples,
    passages.map((passage, index) => ({
      passage,
      entities: keeps[index]?.(nameEntities, named[index]?.named_entities ?? [], (name) => ({ names: [name] })) ?? [],
    })),
  )
  const written = replies.map((reply) => distinct(reply?.triples ?? []))
  const triples = written.map((own, index) => keeps[index]?.(extractTriples, own, endsOf) ?? [])
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return {
    triples,
    failures: [...named, ...replies].filter((reply) => reply === undefined).length,
    malformed: sum(replies.map((reply) => reply?.malformed ?? 0)),
    repeated: sum(replies.map((reply, index) => (reply?.triples.length ?? 0) - (written[index]?.length ?? 0))),
    missing: 0,
  }
}

/** What is looked for in the passage; what a predicate says may be in other words. */
const endsOf = ([subject, , object]: Triple) => ({ names: [subject, object] })

/** Each triple once, in order. */
const distinct = (triples: readonly Triple[]): readonly Triple[] => [
  ...new Map(triples.map((triple) => [JSON.stringify(triple), triple])).values(),
]

/**
 * OpenIE that someone else's model did, in HippoRAG's published JSON: `{docs: [{passage, extracted_triples}]}`. A
 * passage is found by its exact text; one that the file lacks has no triples. Triples are counted against the passages,
 * and all of them are kept. Throws UserError when the file cannot be used or holds none of the passages.
 */
export async function importOpenIe(path: string, passages: readonly string[], grounding: Grounding): Promise<OpenIe> {
  const { docs } = await read(path)
  const byPassage = new Map(docs.map(({ passage, extracted_triples }) => [passage, extracted_triples]))
  const raw = passages.map((passage) => byPassage.get(passage))
  const missing = raw.filter((found) => found === undefined).length
  if (missing > 0 && missing === passages.length) {
    throw new UserError(
      `${path}: contains none of the ${passages.length} passages; its texts must equal the documents: set chunks.by to none`,
    )
  }
  const whole = raw.map((found) => (found ?? []).flatMap(tripleOf))
  const triples = whole.map(distinct)
  for (const [row, passage] of passages.entries()) grounding.on(passage)({}, triples[row] ?? [], endsOf)
  const count = (lists: readonly (readonly unknown[] | undefined)[]) =>
    lists.reduce((sum, list) => sum + (list?.length ?? 0), 0)
  return {
    triples,
    failures: 0,
    malformed: count(raw) - count(whole),
    repeated: count(whole) - count(triples),
    missing,
  }
}

const published = z.object({
  docs: z.array(z.object({ passage: z.string(), extracted_triples: z.array(z.unknown()) })),
})

// the one place where a method reads a file: what a run's own model would have said is data from outside the run
async function read(path: string): Promise<z.infer<typeof published>> {
  const file = resolve(path)
  try {
    const parsed = published.safeParse(JSON.parse(withoutNaN(await readFile(file, 'utf8'))))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new Error(`${issue ? `${toDotPath(issue.path)}: ${issue.message}` : 'not'} in HippoRAG's form`)
  } catch (error) {
    throw new UserError(`${file}: cannot be read as OpenIE results: ${messageOf(error)}`, { cause: error })
  }
}

/** Python writes NaN and Infinity, which JSON does not know; inside strings they are words. */
const withoutNaN = (text: string): string =>
  text.replace(/"(?:[^"\\]+|\\[^])*"|-?\b(?:NaN|Infinity)\b/g, (found) => (found.startsWith('"') ? found : 'null'))
