import type { QuestionOfAnswerInput } from '../../tasks/question-of-answer.ts'
import type { Language } from './language.ts'
import { questionsAbout } from './questions.ts'

/** A question made of the answer, the first ones again where there are fewer than asked for, and whether the answer says that it does not know. */
export function questionOf(language: Language, { answer, index }: QuestionOfAnswerInput): string {
  const all = questionsAbout(language, answer)
  const question = all[index % Math.max(1, all.length)] ?? ''
  return JSON.stringify({ question, noncommittal: NONCOMMITTAL.test(answer) ? 1 : 0 })
}

/** How answers say that there is none. */
const NONCOMMITTAL =
  /\b(?:unanswerable|unknown|unclear|no information|(?:not|n['’]t|cannot be) (?:know|known|sure|certain|clear|stated|mentioned|specified|provided|determined|answered|tell|say))\b/i
