import type { Budget, Chunk, Passage, Trace } from '../../types.ts'
import type { Voter } from './entity-index.ts'

/** A chunk by its row, and what ranks it. */
export interface RankedChunk {
  readonly chunk: number
  readonly score: number
  /** Ranks of the voters that speak for it; all that name it where absent. */
  readonly by?: readonly number[]
  readonly why?: Trace
}

/** `null` is the budget's. */
interface ContextOptions {
  readonly topK: number | null
  readonly maxTokens: number | null
}

/**
 * The first topK chunks of a ranking, up to the one that would exceed the tokens (UnWeaver, section 3: whole rows
 * only), and never more passages than the budget has. `why` names the entities that spoke for a chunk with their ranks,
 * from 0, and similarities. Its CSV table and header belong to its own prompt; here every method shares one, so chunks
 * are given as they are. The first says why the ranking is a `fallback`.
 */
export function contextOf(
  chunks: readonly Chunk[],
  ranking: readonly RankedChunk[],
  voters: readonly Voter[],
  { topK, maxTokens }: ContextOptions,
  { passages }: Budget,
  fallback?: string,
): Passage[] {
  let room = maxTokens ?? Infinity
  const context: Passage[] = []
  for (const { chunk: row, score, by, why } of ranking.slice(0, Math.min(topK ?? Infinity, passages))) {
    const chunk = chunks[row]
    if (!chunk || chunk.tokens > room) break
    room -= chunk.tokens
    context.push({
      text: chunk.text,
      score,
      from: [chunk.id],
      kind: 'chunk',
      why: {
        ...spokenFor(row, voters, by),
        ...why,
        ...(context.length === 0 && fallback !== undefined && { fallback }),
      },
    })
  }
  return context
}

function spokenFor(row: number, voters: readonly Voter[], by?: readonly number[]): Trace {
  const own = voters
    .map((voter, rank) => ({ ...voter, rank }))
    .filter(({ chunks, rank }) => by?.includes(rank) ?? chunks.includes(row))
  return {
    entities: own.map(({ name }) => name),
    ranks: own.map(({ rank }) => rank),
    similarities: own.map(({ similarity }) => similarity),
  }
}
