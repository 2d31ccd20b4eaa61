import type { AnswerFromPassagesInput, SimulateQueryInput } from '../../../tasks/records.ts'
import { answer } from './answer.ts'
import type { Language } from './language/language.ts'
import { questionsAbout } from './questions.ts'

/** Of the questions about a passage the one whose turn it is: another one each time that the passage is asked about. */
export function simulated(language: Language, { passage, variant }: SimulateQueryInput): string {
  const questions = questionsAbout(language, passage)
  return questions[variant % Math.max(1, questions.length)] ?? `What is said about ${passage.slice(0, 60).trim()}?`
}

/** The best sentence of the passages. */
export const answeredFrom = (language: Language, { question, passages }: AnswerFromPassagesInput): string =>
  answer(language, { question, context: passages.join('\n\n'), style: 'sentence' })
