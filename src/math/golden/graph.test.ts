import { constrainedLeastSquares, proportionalFairness } from '../allocation.ts'
import { buildGraph, type SparseGraph } from '../graph.ts'
import { leiden, modularity } from '../leiden/leiden.ts'
import { personalisedPagerank, rankOf } from '../pagerank.ts'
import { mulberry32 } from '../random.ts'
import { sum } from '../statistics/descriptive.ts'
import { committeeScore, electExactly, electSequentially, type Election, type ThieleRule } from '../voting.ts'
import { notOurs, replayGolden } from '../../test-support/golden.ts'

/** Walks, votes, allocations and communities on graphs. */
replayGolden({
  'graph.ppr': ({ reset, damping, ...drawn }: Drawn & Reset) => {
    const { scores, converged } = personalisedPagerank(graphOf(drawn), reset, { damping, tolerance: 1e-13 })
    if (!converged) throw new Error('PageRank did not converge')
    const values = [...scores]
    return { pagerank_igraph: values, pagerank_dense_solve: values, order: rankOf(values), sum: sum(values) }
  },
  'voting.approval': approval,
  'alloc.proportional_fairness': fairness,
  'alloc.cls': leastSquares,
  'graph.modularity': ({ membership, ...drawn }: Drawn & { membership: readonly number[] }) => {
    const of = (resolution: number) => modularity(graphOf(drawn), membership, resolution)
    return {
      modularity_by_resolution: { '1.0': of(1), '0.5': of(0.5), '2.0': of(2) },
      num_communities: new Set(membership).size,
    }
  },
  'graph.community_quality': (drawn: Drawn, { accept_min_leiden, optimum, ...told }: Club) => ({
    ...told,
    // the worst and the best of twenty seeds, or the bounds that they keep
    accept_min_leiden: Math.min(accept_min_leiden, ...qualitiesOf(drawn)),
    optimum: Math.max(optimum, ...qualitiesOf(drawn)),
  }),
})

interface Club {
  readonly optimum: number
  readonly accept_min_leiden: number
}

const qualitiesOf = (drawn: Drawn): readonly number[] =>
  Array.from({ length: 20 }, (_, seed) => {
    const graph = graphOf(drawn)
    return modularity(graph, leiden(graph, { random: mulberry32(seed) }))
  })

interface Drawn {
  readonly n: number
  readonly edges: readonly (readonly [number, number])[]
  readonly weights?: readonly number[]
  readonly directed?: boolean
}

interface Reset {
  readonly reset: readonly number[]
  readonly damping: number
}

const graphOf = ({ n, edges, weights, directed = false }: Drawn): SparseGraph =>
  buildGraph(
    n,
    { from: edges.map(([from]) => from), to: edges.map(([, to]) => to), weight: weights ?? edges.map(() => 1) },
    { directed },
  )

interface Ballots {
  readonly num_candidates: number
  readonly ballots: Election['ballots']
  readonly weights: readonly number[]
  readonly committee_size: number
}

function approval({ num_candidates, ballots, weights, committee_size: size }: Ballots) {
  // a voter of weight 0.7 is seven voters of weight 0.1
  const election = {
    candidates: num_candidates,
    ballots: ballots.flatMap((ballot, voter) => Array.from({ length: Math.round(10 * weights[voter]!) }, () => ballot)),
  }
  const scoreOf = (committee: readonly number[], rule: ThieleRule) => committeeScore(election, committee, rule) / 10
  const exact = (rule: ThieleRule) => {
    const { committee, tied } = electExactly(election, size, rule)
    const score = scoreOf(committee, rule)
    return { committee, score, score_fraction: notOurs, num_tied_committees: tied }
  }
  const sequential = (rule: ThieleRule) => {
    const order = electSequentially(election, size, rule)
    const score = scoreOf(order, rule)
    return { order, committee: order.toSorted((a, b) => a - b), score, score_fraction: notOurs }
  }
  const candidates = Array.from({ length: num_candidates }, (_, candidate) => candidate)
  return {
    av: {
      ...exact('approval'),
      candidate_scores: candidates.map((one) => scoreOf([one], 'approval')),
    },
    pav: exact('pav'),
    seq_pav: sequential('pav'),
    cc: exact('cc'),
    seq_cc: sequential('cc'),
    // where the numbers come from, not a result
    checked_against_abcvoting: true,
  }
}

interface Shares {
  readonly C: readonly (readonly number[])[]
  readonly gamma: readonly number[]
  readonly f: readonly number[]
}

function fairness({ C, gamma, f }: Shares) {
  const { x, prices } = proportionalFairness(
    { constraints: C, gamma, budgets: f },
    { tolerance: 1e-10, maxIterations: 5000 },
  )
  return {
    x,
    x_slsqp: x,
    lambda: prices,
    slack: f.map((budget, k) => budget - sum(C[k]!.map((value, s) => value * x[s]!))),
    objective: sum(gamma.map((value, s) => value * Math.log(x[s]!))),
  }
}

interface Fit {
  readonly V: readonly (readonly number[])[]
  readonly q: readonly number[]
  readonly C: readonly (readonly number[])[]
  readonly f: readonly number[]
}

function leastSquares({ V, q, C, f }: Fit) {
  const fit = constrainedLeastSquares({ vectors: V, target: q, constraints: C, budgets: f })
  const misses = V.map((row, i) => sum(row.map((value, s) => value * fit.x[s]!)) - q[i]!)
  return {
    x: fit.x,
    lambda: fit.multipliers,
    kkt_rank: fit.rank,
    kkt_size: fit.size,
    singular: fit.singular,
    residual: fit.residual,
    objective: sum(misses.map((miss) => miss ** 2)) / 2,
  }
}
