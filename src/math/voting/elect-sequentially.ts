import { tieWidth, votersOf, type Election } from './election.ts'
import { thiele, type ThieleRule } from './thiele.ts'

/**
 * A committee of at most `size`, in the order of election: each time the candidate with the largest gain by the rule. When none
 * gains any more, by approval (UnWeaver, section 3: CC with every voter covered). Throws RangeError for a bad election or size.
 */
export function electSequentially(election: Election, size: number, rule: ThieleRule): number[] {
  if (!Number.isInteger(size) || size < 0) throw new RangeError(`a committee cannot have ${size} members`)
  const voters = votersOf(election)
  const width = tieWidth(voters)
  const elected: number[] = []
  const represented = voters.map(() => 0)
  const waiting = inTieOrder(election)
  const gains = (by: ThieleRule) => {
    const gain = new Float64Array(election.candidates)
    voters.forEach(({ approved, weight }, voter) => {
      const more = weight * thiele[by](represented[voter]! + 1)
      for (const candidate of approved) gain[candidate]! += more
    })
    return gain
  }
  while (elected.length < size && waiting.length > 0) {
    const gain = gains(rule)
    const best = firstBest(waiting, waiting.some((one) => gain[one]! > width) ? gain : gains('approval'), width)
    elected.push(best)
    waiting.splice(waiting.indexOf(best), 1)
    voters.forEach(({ approved }, voter) => {
      if (approved.includes(best)) represented[voter]!++
    })
  }
  return elected
}

const inTieOrder = ({ candidates, ranks }: Election): number[] =>
  Array.from({ length: candidates }, (_, candidate) => candidate).sort((a, b) =>
    ranks && ranks[a] !== ranks[b] ? ranks[a]! - ranks[b]! : a - b,
  )

const firstBest = (waiting: readonly number[], gain: Float64Array, width: number): number =>
  waiting.reduce((best, one) => (gain[one]! > gain[best]! + width ? one : best))
