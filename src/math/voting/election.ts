/** Voters who approve of candidates 0 to `candidates` - 1; a ballot is a set, so naming a candidate twice changes nothing. */
export interface Election {
  readonly candidates: number
  readonly ballots: readonly (readonly number[])[]
  /** Of each voter, not negative; 1 for all when absent. */
  readonly weights?: readonly number[]
  /** Of each candidate: equal gains go to the lower rank, then to the lower number. */
  readonly ranks?: readonly number[]
}

/** The ballots as sets of known candidates, each with its weight. Throws RangeError naming what is wrong. */
export function votersOf({ candidates, ballots, weights, ranks }: Election) {
  if (weights && weights.length !== ballots.length) {
    throw new RangeError(`${weights.length} weights for ${ballots.length} ballots`)
  }
  if (ranks && ranks.length !== candidates) throw new RangeError(`${ranks.length} ranks for ${candidates} candidates`)
  return ballots.map((ballot, voter) => {
    const weight = weights?.[voter] ?? 1
    if (!(weight >= 0 && weight < Infinity)) throw new RangeError(`voter ${voter} weighs ${weight}`)
    const stranger = ballot.find((name) => !Number.isInteger(name) || name < 0 || name >= candidates)
    if (stranger !== undefined) throw new RangeError(`voter ${voter} names ${stranger}, of ${candidates} candidates`)
    return { approved: [...new Set(ballot)], weight }
  })
}

/** What differs by no more is equal: sums such as 1/2 + 1/3 must not decide by rounding. */
export const tieWidth = (voters: readonly { readonly weight: number }[]): number =>
  1e-12 * voters.reduce((total, { weight }) => total + weight, 0)
