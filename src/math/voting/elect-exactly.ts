import { tieWidth, votersOf, type Election } from './election.ts'
import { thiele, type ThieleRule } from './thiele.ts'

/** Every committee is tried, of which 12 candidates have at most 924. */
const mostCandidates = 12

/** The best committee of `size` by the rule, the first in lexicographic order; its score; and how many score the same. */
export function electExactly(election: Election, size: number, rule: ThieleRule) {
  if (election.candidates > mostCandidates) {
    throw new RangeError(
      `${election.candidates} candidates are too many to try every committee (${mostCandidates} at most)`,
    )
  }
  const committees = committeesOf(election.candidates, Math.min(size, election.candidates))
  const scores = committees.map((committee) => committeeScore(election, committee, rule))
  const score = Math.max(...scores)
  const width = tieWidth(votersOf(election))
  const best = committees.filter((_, i) => scores[i]! >= score - width)
  return { committee: best[0]!, score, tied: best.length }
}

/** Σ over the voters of weight · (the gains of 1, 2, … elected candidates of the ballot). */
export function committeeScore(election: Election, committee: readonly number[], rule: ThieleRule): number {
  return votersOf(election).reduce((total, { approved, weight }) => {
    const represented = approved.filter((candidate) => committee.includes(candidate)).length
    return (
      total + weight * Array.from({ length: represented }, (_, i) => thiele[rule](i + 1)).reduce((a, b) => a + b, 0)
    )
  }, 0)
}

/** All sets of `size` numbers of `from` to `candidates` - 1, in lexicographic order. */
function committeesOf(candidates: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]]
  return Array.from({ length: Math.max(0, candidates - size + 1 - from) }, (_, i) => from + i).flatMap((first) =>
    committeesOf(candidates, size - 1, first + 1).map((rest) => [first, ...rest]),
  )
}
