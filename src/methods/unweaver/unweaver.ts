import { z } from 'zod'
import { defineMethod } from '../../define.ts'
import { extractEntities, shortenDescription } from '../../tasks/entities.ts'
import {
  entityOptions,
  nearestEntities,
  sharedEntityIndex,
  type Voter,
  contextOf,
  type RankedChunk,
} from './entity-index.ts'
import {
  committeesAmong,
  electExactly,
  electSequentially,
  mostCommittees,
  weightedVote,
  type Election,
  type ThieleRule,
} from '../../math/voting.ts'
import { groupBy, itemAt } from '../../basics/collections.ts'
import { constrainedLeastSquares, proportionalFairness } from '../../math/allocation.ts'
import type { Trace } from '../../types.ts'
import { choice } from '../shared/options.ts'

export const votingRules = ['weighted', 'approval', 'pav', 'chamberlin-courant'] as const

interface VoteOptions {
  readonly voting: (typeof votingRules)[number]
  readonly seats: number
}

/**
 * The chunks that the entities elect, in order. Ballots are the chunk lists of the entities nearest to the question,
 * nearest first; ties go to the chunk of the nearer entity. Members of a committee score 1 / (1 + place).
 */
export function vote(ballots: readonly (readonly number[])[], { voting, seats }: VoteOptions): RankedChunk[] {
  if (voting === 'weighted') {
    const ranking = weightedVote(ballots, nearestEntities)
    return ranking.map(({ candidate, score }) => ({ chunk: candidate, score }))
  }
  // candidates are numbered by the nearest entity that names them, then by chunk: ties go to the lower number
  const rankOf = (chunk: number): number => ballots.findIndex((ballot) => ballot.includes(chunk))
  const chunks = [...new Set(ballots.flat())].sort((a, b) => rankOf(a) - rankOf(b) || a - b)
  const number = new Map(chunks.map((chunk, candidate) => [chunk, candidate]))
  const election = {
    candidates: chunks.length,
    ballots: ballots.map((ballot) => ballot.flatMap((chunk) => number.get(chunk) ?? [])),
  }
  const rule = voting === 'chamberlin-courant' ? 'cc' : voting
  const members = electMembers(election, seats, rule)
  return members.flatMap((candidate, place) => {
    const chunk = chunks[candidate]
    return chunk === undefined ? [] : [{ chunk, score: 1 / (1 + place) }]
  })
}

/** The best committee if all can be tried, members in the order of their gains; else member by member. */
function electMembers(election: Election, seats: number, rule: ThieleRule): readonly number[] {
  if (seats >= election.candidates || hasTooManyCommittees(election.candidates, seats))
    return electSequentially(election, seats, rule)
  const { committee } = electExactly(election, seats, rule)
  const place = new Map(committee.map((candidate, member) => [candidate, member]))
  const memberBallot = (ballot: readonly number[]) => ballot.flatMap((candidate) => place.get(candidate) ?? [])
  const ballots = election.ballots.map(memberBallot)
  const order = electSequentially({ candidates: committee.length, ballots }, seats, rule)
  return order.map((member) => itemAt(committee, member))
}

const hasTooManyCommittees = (candidates: number, seats: number): boolean =>
  seats < candidates && committeesAmong(candidates, seats) > mostCommittees

/** Why a committee may not be optimal; undefined if it is, or without a committee. */
export const greedyBecause = (
  ballots: readonly (readonly number[])[],
  { voting, seats }: Pick<VoteOptions, 'voting' | 'seats'>,
): string | undefined =>
  voting !== 'weighted' && voting !== 'approval' && hasTooManyCommittees(new Set(ballots.flat()).size, seats)
    ? `member by member: more than ${mostCommittees.toLocaleString('en-US')} committees`
    : undefined

/**
 * UnWeaver: a model describes the entities of every chunk; those of the same name are merged; the entities nearest to a
 * question vote for the chunks that name them. Alignment (Appendix C) was never released: open points are our reading.
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
      .enum(votingRules)
      .default('weighted')
      .describe(
        'weighted: share of all votes times (1 - rank / 10) (released code). approval, pav, chamberlin-courant: the best committee by that rule, of all up to 10,000, else member by member. Ties: the chunk of the nearer entity (our reading).',
      ),
    alignment: choice(
      ['none', 'utility', 'cls'],
      'Ranking instead of a vote: by proportional fairness, or by constrained least squares (Appendix C; not released, our reading).',
    ),
  }),
  prepares: sharedEntityIndex,
  async index(chunks, models, options, sharedIndex) {
    const entityIndex = sharedIndex ?? (await sharedEntityIndex.make(chunks, models, options))
    const { graph, stats, warnings } = entityIndex
    const { voting, alignment } = options
    return {
      async retrieve({ text }, budget, models) {
        const { voters, query } = await entityIndex.nearest(text, models)
        const seats = options.topK ?? budget.passages
        const toContext = (ranking: readonly RankedChunk[], fallback?: string) =>
          contextOf(chunks, ranking, voters, options, budget, fallback)
        const ballots = voters.map((voter) => voter.chunks)
        const electChunks = () => vote(ballots, { voting, seats })
        if (alignment === 'none') return toContext(electChunks(), greedyBecause(ballots, { voting, seats }))
        const alignmentResult = align(voters, query, alignment, seats)
        return alignmentResult
          ? toContext(alignmentResult.ranking, alignmentResult.fallback)
          : toContext(electChunks(), 'vote: no entity is near enough to align')
      },
      graph,
      stats,
      warnings,
    }
  },
})

/** An entity as a class: its vector, its similarity to the question (gamma), and its chunks. */
export type AlignedClass = Pick<Voter, 'similarity' | 'vector' | 'chunks'>

/**
 * Ranks chunks by the shares x of their classes (UnWeaver, Appendix C,
 * Algorithm 1; open points are our reading). Classes with gamma <= 0 or without
 * chunks are dropped; all chunks of the best `limit` classes are ranked by the
 * sum of their x. Every chunk has a budget f of 1 (our reading). Undefined if
 * no class remains; `fallback`: why the shares are not those of the method.
 */
export function align(
  voters: readonly AlignedClass[],
  query: Float32Array,
  alignment: 'utility' | 'cls',
  limit: number,
) {
  const classes = voters
    .map((voter, rank) => ({ ...voter, rank }))
    .filter(({ similarity, chunks }) => similarity > 0 && chunks.length > 0)
  if (classes.length === 0) return undefined
  const chunks = [...new Set(classes.flatMap((entityClass) => entityClass.chunks))]
  const { x, why, fallback } =
    alignment === 'utility' ? fairShares(classes, chunks) : leastSquaresShares(classes, chunks, query)
  const best = bestClasses(classes, x, limit)
  const trace = { ...why, classesLeftOut: voters.length - classes.length }
  // the sort is stable: ties stay in the order of their best class, then of its list
  const ranking = [...new Set(best.flatMap((entityClass) => entityClass.chunks))]
    .map((chunk) => {
      const holding = best.filter((entityClass) => entityClass.chunks.includes(chunk))
      const score = holding.reduce((sum, { share }) => sum + share, 0)
      return { chunk, score, by: holding.map(({ rank }) => rank), why: trace }
    })
    .sort((a, b) => b.score - a.score)
  return { ranking, ...(fallback !== undefined && { fallback }) }
}

/** Tolerance of a satisfied equation. */
const negligible = 1e-6

interface Shares {
  /** The share of each class. */
  readonly x: readonly number[]
  readonly why: Trace
  readonly fallback?: string
}

/** Proportional fairness: every chunk gives 1 to its classes. The printed stopping rule never applies. */
function fairShares(classes: readonly AlignedClass[], chunks: readonly number[]): Shares {
  const problem = {
    constraints: chunks.map((chunk) => membership(chunk, classes)),
    gamma: classes.map(({ similarity }) => similarity),
    budgets: chunks.map(() => 1),
  }
  const { x, iterations, converged } = proportionalFairness(problem, { tolerance: 1e-4, maxIterations: 5000 })
  const why = { iterations, converged }
  return converged ? { x, why } : { x, why, fallback: 'shares did not converge within the iterations' }
}

/**
 * Constrained least squares: the combination of classes nearest to the question, with shares that sum to 1 in every
 * chunk. Chunks of the same classes are one equation times the root of their number: same solution, smaller system.
 */
function leastSquaresShares(classes: readonly AlignedClass[], chunks: readonly number[], query: Float32Array): Shares {
  const rows = chunks.map((chunk) => membership(chunk, classes))
  const equations = Array.from(groupBy(rows, (row) => row.join('')).values(), (group) => ({
    row: group[0],
    times: group.length,
  }))
  const { x, singular, residual } = constrainedLeastSquares({
    vectors: Array.from(query, (_, axis) => classes.map(({ vector }) => itemAt(vector, axis))),
    target: Array.from(query),
    constraints: equations.map(({ row, times }) => row.map((coefficient) => coefficient * Math.sqrt(times))),
    budgets: equations.map(({ times }) => Math.sqrt(times)),
  })
  const why = { singular, residual }
  return residual < negligible ? { x, why } : { x, why, fallback: 'no shares satisfy every chunk: those nearest to it' }
}

const membership = (chunk: number, classes: readonly AlignedClass[]): readonly number[] =>
  classes.map(({ chunks }) => (chunks.includes(chunk) ? 1 : 0))

/** The classes with the largest gamma·x; ties by gamma, then in order. */
const bestClasses = (
  classes: readonly (AlignedClass & { readonly rank: number })[],
  x: readonly number[],
  most: number,
) =>
  classes
    .map(({ similarity, chunks, rank }, index) => {
      const share = itemAt(x, index)
      return { chunks, rank, share, similarity, value: Math.round(similarity * share * 1e9) }
    })
    .sort((a, b) => b.value - a.value || b.similarity - a.similarity)
    .slice(0, most)
