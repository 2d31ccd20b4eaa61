import { menuOf, type Menu, type OptionsOf } from '../basics/loading.ts'
import type { Scorer } from '../types.ts'

const items = {
  accuracy: () => import('./accuracy.ts').then(({ accuracy }) => accuracy),
  'answer-relevancy': () => import('./answer-relevancy.ts').then(({ answerRelevancy }) => answerRelevancy),
  assertions: () => import('./assertions.ts').then(({ assertions }) => assertions),
  'bert-score': () => import('./bert-score.ts').then(({ bertScore }) => bertScore),
  choke: () => import('./choke.ts').then(({ choke }) => choke),
  contains: () => import('./contains.ts').then(({ contains }) => contains),
  'context-precision': () => import('./context-precision.ts').then(({ contextPrecision }) => contextPrecision),
  'context-recall': () => import('./context-recall.ts').then(({ contextRecall }) => contextRecall),
  correct: () => import('./correct.ts').then(({ correct }) => correct),
  'factual-correctness': () => import('./factual-correctness.ts').then(({ factualCorrectness }) => factualCorrectness),
  'failure-cause': () => import('./failure-cause.ts').then(({ failureCause }) => failureCause),
  faithfulness: () => import('./faithfulness.ts').then(({ faithfulness }) => faithfulness),
  labels: () => import('./labels.ts').then(({ labels }) => labels),
  musique: () => import('./musique.ts').then(({ musique }) => musique),
  pairwise: () => import('./pairwise.ts').then(({ pairwise }) => pairwise),
  'qasper-f1': () => import('./qasper-f1.ts').then(({ qasperF1 }) => qasperF1),
  ragchecker: () => import('./ragchecker.ts').then(({ ragchecker }) => ragchecker),
  retrieval: () => import('./retrieval.ts').then(({ retrieval }) => retrieval),
  rouge: () => import('./rouge.ts').then(({ rouge }) => rouge),
  squad: () => import('./squad.ts').then(({ squad }) => squad),
  'summary-share': () => import('./summary-share.ts').then(({ summaryShare }) => summaryShare),
} as const

/** The menu: every scorer that a config can name. */
export const scorers: Menu<Scorer> = menuOf<Scorer>(items)

export type ScorerName = keyof typeof items

/** The options of a scorer, as a config writes them. */
export type ScorerOptions<N extends ScorerName> = OptionsOf<(typeof items)[N]>
