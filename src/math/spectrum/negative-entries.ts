import { negativeCandidates } from './negative-candidates.ts'
import { entryBytes, entryList, type EntryList } from './entry-list.ts'
import type { Factors } from './factors.ts'
import { forEachPair } from './strips.ts'
import type { PairStats } from './weights.ts'

/** The negative weights (S_ij + S_ji)/2 of pairs i < j: what clamping takes off. */
export interface NegativeEntries {
  readonly entries: EntryList
  readonly pairStats: PairStats
}

/**
 * Finds the negative weights of the mean of S and Sᵀ in one pass over the pairs that are not known to be positive, without storing
 * the others. undefined where they take more than `memory` bytes; with 0 that is known at the first.
 */
export function negativeEntries(factors: Factors, memory: number): NegativeEntries | undefined {
  const n = factors.a.rows
  const entries = entryList(n)
  let [pairs, asymmetryMax] = [0, 0]
  const finished = forEachPair(
    factors,
    (i, j, above, below) => {
      if (i === j) return true
      pairs++
      asymmetryMax = Math.max(asymmetryMax, Math.abs(above - below))
      if (above + below >= 0) return true
      entries.add(i, j, (above + below) / 2)
      return entries.count * entryBytes <= memory
    },
    negativeCandidates(factors),
  )
  if (!finished) return undefined
  const all = (n * (n - 1)) / 2
  return {
    entries,
    pairStats: { asymmetryMax: pairs === all ? asymmetryMax : null, negativeShare: entries.count / Math.max(1, all) },
  }
}
