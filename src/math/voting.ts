/**
 * Sequential Thiele rule: repeatedly elects the candidate with the largest gain, by approval once no candidate gains
 * (UnWeaver, section 3: CC with every voter covered).
 */
export function electSequentially(election: Election, size: number, rule: ThieleRule): number[] {
  const voters = votersOf(election)
  const width = tieWidth(voters)
  const committee: number[] = []
  const satisfaction = voters.map(() => 0)
  const waiting = Array.from({ length: election.candidates }, (_, candidate) => candidate)
  const gains = (by: ThieleRule) => {
    const gain = new Float64Array(election.candidates)
    voters.forEach((ballot, voter) => {
      const more = thiele[by](satisfaction[voter]! + 1)
      for (const candidate of ballot) gain[candidate]! += more
    })
    return gain
  }
  while (committee.length < size && waiting.length > 0) {
    const gain = gains(rule)
    const best = firstBest(
      waiting,
      waiting.some((candidate) => gain[candidate]! > width) ? gain : gains('approval'),
      width,
    )
    committee.push(best)
    waiting.splice(waiting.indexOf(best), 1)
    voters.forEach((ballot, voter) => {
      if (ballot.includes(best)) satisfaction[voter]!++
    })
  }
  return committee
}

const firstBest = (waiting: readonly number[], gain: Float64Array, width: number): number =>
  waiting.reduce((best, candidate) => (gain[candidate]! > gain[best]! + width ? candidate : best))

/** Voters who approve of candidates 0 to `candidates` - 1; a ballot is a set. Equal gains go to the lower number. */
export interface Election {
  readonly candidates: number
  readonly ballots: readonly (readonly number[])[]
}

const votersOf = ({ ballots }: Election): readonly (readonly number[])[] =>
  ballots.map((ballot) => [...new Set(ballot)])

/** Tolerance of ties: sums such as 1/2 + 1/3 must not decide by rounding. */
const tieWidth = (voters: readonly unknown[]): number => 1e-12 * voters.length

/**
 * A voter's gain from the nth elected candidate of the ballot (Thiele 1895): approval, proportional approval (PAV),
 * Chamberlin–Courant (CC).
 */
export const thiele = {
  approval: () => 1,
  pav: (nth: number) => 1 / nth,
  cc: (nth: number) => (nth === 1 ? 1 : 0),
} as const satisfies Readonly<Record<string, (nth: number) => number>>

export type ThieleRule = keyof typeof thiele

/** Limit of exhaustive search: 18 candidates have 8568 committees of five. */
export const mostCommittees = 10_000

/** The number of committees, counted up to just above the limit. */
export function committeesAmong(candidates: number, size: number): number {
  const members = Math.min(size, candidates - size)
  let count = members < 0 ? 0 : 1
  for (let i = 1; i <= members && count <= mostCommittees; i++) count = (count * (candidates - members + i)) / i
  return Math.round(count)
}

/** The best committee of `size` by the rule, the first in lexicographic order; its score; how many score the same. */
export function electExactly(election: Election, size: number, rule: ThieleRule) {
  const members = Math.min(size, election.candidates)
  if (committeesAmong(election.candidates, members) > mostCommittees)
    throw new RangeError(
      `${election.candidates} candidates have too many committees of ${members} to try every one (${mostCommittees} at most)`,
    )
  const committees = committeesOf(election.candidates, members)
  const scores = committees.map((committee) => committeeScore(election, committee, rule))
  const score = Math.max(...scores)
  const width = tieWidth(votersOf(election))
  const best = committees.filter((_, i) => scores[i]! >= score - width)
  return { committee: best[0]!, score, tied: best.length }
}

/** Σ over the voters of the gains of 1, 2, … elected candidates of the ballot. */
export function committeeScore(election: Election, committee: readonly number[], rule: ThieleRule): number {
  return votersOf(election).reduce((total, ballot) => {
    const count = ballot.filter((candidate) => committee.includes(candidate)).length
    return total + Array.from({ length: count }, (_, i) => thiele[rule](i + 1)).reduce((a, b) => a + b, 0)
  }, 0)
}

/** All sets of `size` numbers of `from` to `candidates` - 1, in lexicographic order. */
function committeesOf(candidates: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]]
  return Array.from({ length: Math.max(0, candidates - size + 1 - from) }, (_, i) => from + i).flatMap((first) =>
    committeesOf(candidates, size - 1, first + 1).map((rest) => [first, ...rest]),
  )
}

/** A candidate and its share of the votes, in [0, 1]. */
interface VoteScore<T> {
  readonly candidate: T
  readonly score: number
}

/**
 * UnWeaver's vote (its released code): ballots in order of similarity, score = (n_c / N)·(1 - pos / k0), n_c how often
 * a candidate is named (twice on a ballot counts twice), N all of that, pos the position of the first ballot that names
 * it. Best first; ties by first occurrence; k0 is at least the number of ballots.
 */
export function weightedVote<T>(ballots: readonly (readonly T[])[], k0: number): VoteScore<T>[] {
  const tallies = new Map<T, { readonly position: number; votes: number }>()
  ballots.forEach((ballot, position) => {
    for (const candidate of ballot) {
      const tally = tallies.get(candidate) ?? { position, votes: 0 }
      tally.votes++
      tallies.set(candidate, tally)
    }
  })
  const all = ballots.reduce((total, ballot) => total + ballot.length, 0)
  // whole numbers up to the last step, so that 3·0.3 ties with 1·0.9
  return [...tallies]
    .map(([candidate, { votes, position }]) => ({ candidate, points: votes * (k0 - position) }))
    .sort((a, b) => b.points - a.points)
    .map(({ candidate, points }) => ({ candidate, score: points / (all * k0) }))
}
