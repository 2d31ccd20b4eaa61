import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { toDotPath } from 'zod/v4/core'
import { itemAt } from '../../basics/collections.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Grounding } from '../../tasks/grounding.ts'
import { extractTriples, nameEntities, tripleOf, type Triple } from '../../tasks/entities.ts'
import type { Models } from '../../types.ts'
import { runEach } from './attempt.ts'

/**
 * Open information extraction with two calls per passage (HippoRAG 2, section 3.1):
 * named entities, then triples around them. An unreadable first reply counts as no
 * entities, an unreadable second one as no facts. Both are grounded in the passage.
 * Triples are per passage, in order, without duplicates; `missing` counts passages
 * that an imported file lacks. Throws ModelError if all replies of a step failed.
 */
export async function openIe(passages: readonly string[], models: Models, grounding: Grounding) {
  const keeps = passages.map(grounding.on)
  const entityReplies = await runEach(models, nameEntities, passages, (passage) => ({ passage }))
  const replies = await runEach(models, extractTriples, passages, (passage, row) => {
    const names = entityReplies[row]?.named_entities ?? []
    const entities = itemAt(keeps, row)(nameEntities, names, (name) => ({ names: [name] }))
    return { passage, entities }
  })
  const distinctTriples = replies.map((reply) => distinct(reply?.triples ?? []))
  const triples = distinctTriples.map((list, row) => itemAt(keeps, row)(extractTriples, list, endsOf))
  return {
    triples,
    failures: [...entityReplies, ...replies].filter((reply) => reply === undefined).length,
    malformedCount: sum(replies.map((reply) => reply?.malformed ?? 0)),
    missing: 0,
  }
}

/** Subject and object are grounded in the passage; a predicate may paraphrase it. */
const endsOf = ([subject, , object]: Triple) => ({ names: [subject, object] })

const distinct = (triples: readonly Triple[]): readonly Triple[] => [
  ...new Map(triples.map((triple) => [JSON.stringify(triple), triple])).values(),
]

/**
 * Published OpenIE results in HippoRAG's JSON: `{docs: [{passage, extracted_triples}]}`. Passages match by exact text;
 * a missing passage has no triples. Grounding is counted, and all triples stay. Throws UserError if the file cannot be
 * read or contains none of the passages.
 */
export async function importOpenIe(path: string, passages: readonly string[], grounding: Grounding) {
  const { docs } = await read(path)
  const byPassage = new Map(docs.map(({ passage, extracted_triples }) => [passage, extracted_triples]))
  const raw = passages.map((passage) => byPassage.get(passage))
  const missing = raw.filter((list) => list === undefined).length
  if (missing > 0 && missing === passages.length) {
    throw new UserError(
      `${path}: contains none of the ${passages.length} passages; its texts must equal the documents: set chunks.by to none`,
    )
  }
  const validTriples = raw.map((list) => (list ?? []).flatMap(tripleOf))
  const triples = validTriples.map(distinct)
  for (const [row, passage] of passages.entries()) grounding.on(passage)({}, triples[row] ?? [], endsOf)
  const lengthOf = (lists: readonly (readonly unknown[] | undefined)[]) => sum(lists.map((list) => list?.length ?? 0))
  return {
    triples,
    failures: 0,
    malformedCount: lengthOf(raw) - lengthOf(validTriples),
    missing,
  }
}

const fileSchema = z.object({
  docs: z.array(z.object({ passage: z.string(), extracted_triples: z.array(z.unknown()) })),
})

// the only method that reads a file: results that replace the calls of the run's model
async function read(path: string): Promise<z.infer<typeof fileSchema>> {
  const file = resolve(path)
  try {
    const result = fileSchema.safeParse(JSON.parse(withoutNaN(await readFile(file, 'utf8'))))
    if (result.success) return result.data
    const [issue] = result.error.issues
    throw new Error(`${issue ? `${toDotPath(issue.path)}: ${issue.message}` : 'not'} in HippoRAG's form`)
  } catch (error) {
    throw new UserError(`${file}: cannot be read as OpenIE results: ${messageOf(error)}`, { cause: error })
  }
}

/** Python writes NaN and Infinity, which JSON lacks; inside strings they are text. */
const withoutNaN = (text: string): string =>
  text.replace(/"(?:[^"\\]+|\\[^])*"|-?\b(?:NaN|Infinity)\b/g, (match) => (match.startsWith('"') ? match : 'null'))
