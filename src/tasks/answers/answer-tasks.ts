import type { AnyTask, Kind } from '../../types.ts'
import { answerChoice } from './answer-choice.ts'
import { answerQuestion } from './answer-question.ts'
import { answerSummary } from './answer-summary.ts'
import { answerTurn } from './answer-turn.ts'

/** The answer prompts, by kind of question: the same for every method; their hashes stand in every manifest. */
export const answerTasks = {
  choice: answerChoice,
  answer: answerQuestion,
  summary: answerSummary,
  turn: answerTurn,
} as const satisfies Record<Kind, AnyTask>
