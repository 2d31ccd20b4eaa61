import { answers } from './answers.ts'
import { bertScore } from './bert-score.ts'
import { graph } from './graph.ts'
import { graphOfRecords } from './graph-of-records/graph-of-records.ts'
import { graphrag } from './graphrag/graphrag.ts'
import { musique } from './musique.ts'
import { pairwise } from './pairwise.ts'
import { qasper } from './qasper.ts'
import { ragas } from './ragas.ts'
import { ranking } from './ranking.ts'
import { rouge } from './rouge.ts'
import type { Adapter } from './run.ts'
import { statistics } from './statistics.ts'

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
