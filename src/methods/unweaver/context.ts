import type { Budget, Chunk, Passage, Trace } from '../../types.ts'
import type { Voter } from './entity-index.ts'

/** A chunk by its row, with its score. */
export interface RankedChunk {
  readonly chunk: number
  readonly score: number
  /** Ranks of the voters that support it; all that name it if absent. */
  readonly by?: readonly number[]
  readonly why?: Trace
}

/** `null`: the budget's limit. */
interface ContextOptions {
  readonly topK: number | null
  readonly maxTokens: number | null
}

/**
 * The first topK chunks of a ranking, up to the one that would exceed the tokens (UnWeaver, section 3: whole rows only)
 * or the budget's passages. `why` has the supporting entities with their ranks, from 0, and similarities. Chunks are
 * unformatted: the CSV table and header belong to the paper's own prompt. The first passage's trace has the `fallback`.
 */
export function contextOf(
  chunks: readonly Chunk[],
  ranking: readonly RankedChunk[],
  voters: readonly Voter[],
  { topK, maxTokens }: ContextOptions,
  { passages }: Budget,
  fallback?: string,
): Passage[] {
  let remainingTokens = maxTokens ?? Infinity
  const context: Passage[] = []
  for (const { chunk: row, score, by, why } of ranking.slice(0, Math.min(topK ?? Infinity, passages))) {
    const chunk = chunks[row]
    if (!chunk || chunk.tokens > remainingTokens) break
    remainingTokens -= chunk.tokens
    context.push({
      text: chunk.text,
      score,
      from: [chunk.id],
      kind: 'chunk',
      why: {
        ...voterTrace(row, voters, by),
        ...why,
        ...(context.length === 0 && fallback !== undefined && { fallback }),
      },
    })
  }
  return context
}

function voterTrace(row: number, voters: readonly Voter[], by?: readonly number[]): Trace {
  const namingVoters = voters
    .map((voter, rank) => ({ ...voter, rank }))
    .filter(({ chunks, rank }) => by?.includes(rank) ?? chunks.includes(row))
  return {
    entities: namingVoters.map(({ name }) => name),
    ranks: namingVoters.map(({ rank }) => rank),
    similarities: namingVoters.map(({ similarity }) => similarity),
  }
}
