import { z } from 'zod'
import { defineMethod } from '../../define.ts'
import { extractEntities, shortenDescription } from '../../tasks/entities.ts'
import { align } from './align.ts'
import { contextOf, type RankedChunk } from './context.ts'
import { sharedEntityIndex } from './entity-index.ts'
import { entityOptions, formerEntityOptions } from './options.ts'
import { entityCalls, entityCosts } from './costs.ts'
import {
  committeesAmong,
  electExactly,
  electSequentially,
  mostCommittees,
  weightedVote,
  type Election,
  type ThieleRule,
} from '../../math/voting.ts'

export const votings = ['weighted', 'approval', 'pav', 'chamberlin-courant'] as const

export interface VoteOptions {
  readonly voting: (typeof votings)[number]
  readonly nearestEntities: number
  readonly seats: number
}

/**
 * The chunks that the entities elect, in order. Ballots are the chunk lists of the entities nearest to the question,
 * nearest first; equals go by the best entity that names them. A committee's score is that of its order, 1 / (1 +
 * place).
 */
export function vote(
  ballots: readonly (readonly number[])[],
  { voting, nearestEntities, seats }: VoteOptions,
): RankedChunk[] {
  if (voting === 'weighted')
    return weightedVote(ballots, nearestEntities).map(({ candidate, score }) => ({ chunk: candidate, score }))
  // candidates are numbered by the nearest entity that names them, then by chunk: equals go to the lower number
  const rankOf = (chunk: number): number => ballots.findIndex((ballot) => ballot.includes(chunk))
  const chunks = [...new Set(ballots.flat())].sort((a, b) => rankOf(a) - rankOf(b) || a - b)
  const number = new Map(chunks.map((chunk, candidate) => [chunk, candidate]))
  const election = {
    candidates: chunks.length,
    ballots: ballots.map((ballot) => ballot.flatMap((chunk) => number.get(chunk) ?? [])),
  }
  const rule = voting === 'chamberlin-courant' ? 'cc' : voting
  return membersOf(election, seats, rule).flatMap((candidate, place) => {
    const chunk = chunks[candidate]
    return chunk === undefined ? [] : [{ chunk, score: 1 / (1 + place) }]
  })
}

/** The best committee where every one can be tried, its members in the order of their gains; else member by member. */
function membersOf(election: Election, seats: number, rule: ThieleRule): readonly number[] {
  if (seats >= election.candidates || committeesAmong(election.candidates, seats) > mostCommittees)
    return electSequentially(election, seats, rule)
  const { committee } = electExactly(election, seats, rule)
  const among = election.ballots.map((ballot) =>
    ballot.flatMap((one) => (committee.includes(one) ? [committee.indexOf(one)] : [])),
  )
  return electSequentially({ candidates: committee.length, ballots: among }, seats, rule).flatMap(
    (one) => committee[one] ?? [],
  )
}

/** Why the committee of these ballots need not be the best; undefined where it is, or none is elected. */
export function greedyBecause(
  ballots: readonly (readonly number[])[],
  { voting, seats }: Pick<VoteOptions, 'voting' | 'seats'>,
): string | undefined {
  if (voting === 'weighted' || voting === 'approval') return undefined
  const candidates = new Set(ballots.flat()).size
  return seats < candidates && committeesAmong(candidates, seats) > mostCommittees
    ? `member by member: more than ${mostCommittees.toLocaleString('en-US')} committees`
    : undefined
}

/**
 * UnWeaver: a model describes the entities of every chunk; those of one name become one entity; the entities nearest to
 * a question vote for the chunks that name them. Alignment was never released: what Appendix C leaves open is our
 * reading.
 */
export const unweaver = defineMethod({
  name: 'unweaver',
  summary:
    'A language model describes entities; the entities nearest to the question vote for the chunks that mention them.',
  paper: 'Tuora et al. 2026, UnWeaving the knots of GraphRAG: turns out VectorRAG is almost enough',
  tasks: [extractEntities, shortenDescription],
  options: z.strictObject({
    ...entityOptions,
    voting: z
      .enum(votings)
      .default('weighted')
      .describe(
        'weighted: share of all votes times (1 - rank / nearestEntities) (released code). approval, pav, chamberlin-courant: the committee that is best by that rule, of up to 10,000 committees that are all tried, member by member where there are more, which the notes of the table count; in ties the chunk of the nearer entity (our reading). With alignment only where no entity is near enough to be aligned.',
      ),
    alignment: z
      .enum(['none', 'utility', 'cls'])
      .default('none')
      .describe(
        'Ranking instead of a vote: by proportional fairness, or by constrained least squares (Appendix C; not released, our reading).',
      ),
  }),
  former: {
    ...formerEntityOptions,
    dedupVotes:
      'was removed: an entity that a chunk names twice counts twice in the weighted vote, as in the released code',
    alignmentRank: 'was removed: entities are ranked by similarity times share',
    alignmentBudget: 'was removed: every chunk has 1 to share out',
    alignmentClasses: 'was removed: alignment takes the chunks of topK entities',
    alignmentTolerance: 'was removed: it is 1e-4',
    alignmentIterations: 'was removed: there are 5000 at most',
  },
  prepares: sharedEntityIndex,
  costs: entityCosts,
  paperCalls: entityCalls,
  async index(chunks, models, options, prepared) {
    const { nearest, graph, stats, warnings } = prepared ?? (await sharedEntityIndex.make(chunks, models, options))
    const { voting, alignment, nearestEntities } = options
    return {
      async retrieve({ text }, budget, models) {
        const { voters, query } = await nearest(text, nearestEntities, models)
        const seats = options.topK ?? budget.passages
        const given = (ranking: readonly RankedChunk[], fallback?: string) =>
          contextOf(chunks, ranking, voters, options, budget, fallback)
        const voted = () =>
          vote(
            voters.map((voter) => voter.chunks),
            { voting, nearestEntities, seats },
          )
        if (alignment === 'none') {
          const ballots = voters.map((voter) => voter.chunks)
          return given(voted(), greedyBecause(ballots, { voting, seats }))
        }
        const aligned = align(voters, query, alignment, seats)
        return aligned
          ? given(aligned.ranking, aligned.fallback)
          : given(voted(), 'vote: no entity is near enough to align')
      },
      graph,
      stats,
      warnings,
    }
  },
})
