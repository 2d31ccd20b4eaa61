/** A candidate and its share of the votes, in [0, 1]. */
export interface Voted<T> {
  readonly candidate: T
  readonly score: number
}

/**
 * UnWeaver's vote (its released code): ballots in order of similarity, score = (n_c / N)·(1 - pos / k0), n_c how often a candidate
 * is named (twice on a ballot counts twice), N all of that, pos the position of the first ballot that names it. Best first;
 * equals stay in the order in which they are met. Throws RangeError when k0 is no whole number of at least the ballots.
 */
export function weightedVote<T>(ballots: readonly (readonly T[])[], k0: number): Voted<T>[] {
  if (!Number.isInteger(k0) || k0 < ballots.length) throw new RangeError(`${ballots.length} ballots, but k0 is ${k0}`)
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
