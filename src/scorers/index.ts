import type { Scorer } from '../types.ts'
import { accuracy } from './accuracy.ts'
import { answerRelevancy } from './answer-relevancy.ts'
import { bertScore } from './bert-score.ts'
import { choke } from './choke.ts'
import { contextPrecision } from './context-precision.ts'
import { contextRecall } from './context-recall.ts'
import { factualCorrectness } from './factual-correctness.ts'
import { failureCause } from './failure-cause.ts'
import { faithfulness } from './faithfulness.ts'
import { musique } from './musique.ts'
import { pairwise } from './pairwise.ts'
import { qasperF1 } from './qasper-f1.ts'
import { retrieval } from './retrieval.ts'
import { rouge } from './rouge.ts'
import { squad } from './squad.ts'
import { summaryShare } from './summary-share.ts'

/** Every scorer that a config can name. */
export const scorers: readonly Scorer[] = [
  accuracy,
  answerRelevancy,
  bertScore,
  choke,
  contextPrecision,
  contextRecall,
  factualCorrectness,
  failureCause,
  faithfulness,
  musique,
  pairwise,
  qasperF1,
  retrieval,
  rouge,
  squad,
  summaryShare,
]
