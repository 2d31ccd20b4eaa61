import { mean } from '../../../math/statistics/descriptive.ts'
import { replayGolden } from '../../../test-support/golden.ts'
import { swapScores, type Winner } from '../../pairwise.ts'

/** Judged pairs of answers. `pairwise.analyze` is not here: its test of normality is not ours. */
replayGolden({
  'pairwise.swap_score': ({ raw_winners_by_trial, names: [a, b] }: Swap) => {
    const trials = swapScores(raw_winners_by_trial)
    const ofA = trials.map((trial) => trial.a)
    const ofB = trials.map((trial) => trial.b)
    return {
      first_shown: trials.map(({ first }) => (first === 'A' ? a : b)),
      [`${a}_scores`]: ofA,
      [`${b}_scores`]: ofB,
      [`${a}_mean`]: mean(ofA),
      [`${b}_mean`]: mean(ofB),
      [`${a}_wins`]: ofA.filter((score) => score === 1).length,
      ties: ofA.filter((score) => score === 0.5).length,
      [`${a}_losses`]: ofA.filter((score) => score === 0).length,
    }
  },
})

interface Swap {
  readonly raw_winners_by_trial: readonly Winner[]
  readonly names: readonly [string, string]
}
