export * from './types/dataset.ts'
export * from './types/method.ts'
export * from './types/graph.ts'
export * from './types/model.ts'
export * from './types/scorer.ts'
export type * from './records/question.ts'
export type { Budget, ScorerColumn } from './records/entries.ts'
export {
  answerRequests,
  answerStyles,
  cutBy,
  type AnswerStyle,
  type AnswersWanted,
  type CutBy,
  type Phase,
} from './records/parts.ts'
export type { ContextPassage, RankedPassage, TextSpan } from './records/passage.ts'
export type { Answer, EvidencePlace, GraphHealth, Held } from './records/lines.ts'
export type { Usage } from './records/usage.ts'
