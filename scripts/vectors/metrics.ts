import { answers } from './answers.ts'
import { bertScore } from './bert-score.ts'
import { graph } from './graph.ts'
import { graphOfRecords } from './graph-of-records/network.ts'
import { graphrag } from './graphrag/graphrag.ts'
import { musique } from './musique.ts'
import { qasper } from './qasper.ts'
import { ragas } from './ragas.ts'
import { ranking } from './ranking.ts'
import { rouge } from './rouge.ts'
import type { Adapter } from './run.ts'
import { statistics } from './statistics.ts'
import { mean } from '../../src/math/statistics/descriptive.ts'
import { swapScores, type Winner } from '../../src/scorers/pairwise.ts'

/** Judged pairs of answers. `pairwise.analyze` is not here: its test of normality is not ours. */
const pairwise: Readonly<Record<string, Adapter>> = {
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
}

interface Swap {
  readonly raw_winners_by_trial: readonly Winner[]
  readonly names: readonly [string, string]
}

/** Our function for every metric of the vectors; a metric that is not here is skipped. */
export const metrics: Readonly<Record<string, Adapter>> = {
  ...answers,
  ...qasper,
  ...musique,
  ...ranking,
  ...rouge,
  ...ragas,
  ...bertScore,
  ...statistics,
  ...pairwise,
  ...graph,
  ...graphrag,
  ...graphOfRecords,
}
