import { electSequentially, weightedVote } from '../../math/voting.ts'
import type { RankedChunk } from './context.ts'

export const votings = ['weighted', 'approval', 'pav', 'chamberlin-courant'] as const

export interface VoteOptions {
  readonly voting: (typeof votings)[number]
  readonly nearestEntities: number
  readonly seats: number
}

/**
 * The chunks that the entities elect, in order. Ballots are the chunk lists of the entities nearest to the question, nearest
 * first; equals go by the best entity that names them. A committee's score is that of its order, 1 / (1 + place).
 */
export function vote(
  ballots: readonly (readonly number[])[],
  { voting, nearestEntities, seats }: VoteOptions,
): RankedChunk[] {
  if (voting === 'weighted')
    return weightedVote(ballots, nearestEntities).map(({ candidate, score }) => ({ chunk: candidate, score }))
  // candidates are numbered by chunk, so that equals of one rank go by chunk
  const chunks = [...new Set(ballots.flat())].sort((a, b) => a - b)
  const number = new Map(chunks.map((chunk, candidate) => [chunk, candidate]))
  const election = {
    candidates: chunks.length,
    ballots: ballots.map((ballot) => ballot.flatMap((chunk) => number.get(chunk) ?? [])),
    ranks: chunks.map((chunk) => ballots.findIndex((ballot) => ballot.includes(chunk))),
  }
  const rule = voting === 'chamberlin-courant' ? 'cc' : voting
  return electSequentially(election, seats, rule).flatMap((candidate, place) => {
    const chunk = chunks[candidate]
    return chunk === undefined ? [] : [{ chunk, score: 1 / (1 + place) }]
  })
}
