import type { Winner } from './swap-scores.ts'

/** What two trials of one pair come to, for the answer that was shown first in the first of them. */
export interface AgreedOutcome {
  /** 1 where both orders prefer it, 0 where both prefer the other, one half otherwise. */
  readonly score: 1 | 0.5 | 0
  /** Whether both orders prefer the same place, and so different answers. */
  readonly flip: boolean
}

/** A win counts only where both orders agree (a decision of ours; microsoft/benchmark-qed takes the mean of both orders). */
export function agreedOutcome(shownFirst: Winner, shownSecond: Winner): AgreedOutcome {
  if (shownFirst === 1 && shownSecond === 2) return { score: 1, flip: false }
  if (shownFirst === 2 && shownSecond === 1) return { score: 0, flip: false }
  return { score: 0.5, flip: shownFirst !== 0 && shownFirst === shownSecond }
}
