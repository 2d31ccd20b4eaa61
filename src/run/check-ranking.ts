import type { Chunk, Passage } from '../types.ts'

/** What a method returned, or an Error that says what is wrong with it: a method may be a stranger's. */
export function checkRanking(ranking: unknown, method: string, chunks: readonly Chunk[]): readonly Passage[] {
  if (!Array.isArray(ranking)) throw new Error(`${method} returned no list of passages`)
  const known = knownIds(chunks)
  for (const [index, passage] of (ranking as readonly Partial<Passage>[]).entries()) {
    const fault = faultOf(passage, known)
    if (fault) throw new Error(`${method} returned a passage (number ${index + 1}) ${fault}`)
  }
  return ranking as readonly Passage[]
}

function faultOf({ text, score, from, kind }: Partial<Passage>, known: ReadonlySet<string>): string | undefined {
  if (typeof text !== 'string') return 'without a text'
  if (!Number.isFinite(score)) return `with the score ${String(score)}`
  if (kind === undefined || !kinds.includes(kind)) return `of the unknown kind "${String(kind)}"`
  if (!Array.isArray(from)) return 'without the ids of its chunks in "from"'
  const stranger = (from as readonly unknown[]).find((id) => typeof id !== 'string' || !known.has(id))
  return stranger === undefined ? undefined : `made of an unknown chunk ${JSON.stringify(stranger)}`
}

const kinds: readonly Passage['kind'][] = ['chunk', 'summary', 'facts']

const sets = new WeakMap<readonly Chunk[], ReadonlySet<string>>()

/** The ids of a corpus's chunks, gathered once. */
function knownIds(chunks: readonly Chunk[]): ReadonlySet<string> {
  let ids = sets.get(chunks)
  if (!ids) sets.set(chunks, (ids = new Set(chunks.map((chunk) => chunk.id))))
  return ids
}
