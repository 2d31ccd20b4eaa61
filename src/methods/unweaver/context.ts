import type { Budget, Chunk, Passage, Trace } from '../../types.ts'
import type { Voter } from './entity-index.ts'

/** A chunk by its row, and what ranks it. */
export interface RankedChunk {
  readonly chunk: number
  readonly score: number
  readonly why?: Trace
}

export interface ContextOptions {
  readonly r: number
  readonly contextTokens: number
}

/**
 * The first r chunks of a ranking, up to the one that would exceed the tokens (UnWeaver, section 3: whole rows only). `why` names
 * the entities that spoke for a chunk with their ranks, from 0, and similarities. Its CSV table and header belong to its own
 * prompt; here every method shares one, so chunks are given as they are.
 */
export function contextOf(
  chunks: readonly Chunk[],
  ranking: readonly RankedChunk[],
  voters: readonly Voter[],
  { r, contextTokens }: ContextOptions,
  { passages }: Budget,
): Passage[] {
  let room = contextTokens
  const context: Passage[] = []
  for (const { chunk: row, score, why } of ranking.slice(0, Math.min(r, passages))) {
    const chunk = chunks[row]
    if (!chunk || chunk.tokens > room) break
    room -= chunk.tokens
    context.push({
      text: chunk.text,
      score,
      from: [chunk.id],
      kind: 'chunk',
      why: { ...spokenFor(row, voters), ...why },
    })
  }
  return context
}

function spokenFor(row: number, voters: readonly Voter[]): Trace {
  const own = voters.flatMap((voter, rank) => (voter.chunks.includes(row) ? [{ ...voter, rank }] : []))
  return {
    entities: own.map(({ name }) => name),
    ranks: own.map(({ rank }) => rank),
    similarities: own.map(({ similarity }) => similarity),
  }
}
