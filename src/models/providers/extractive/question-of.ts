import type { QuestionOfAnswerInput } from '../../../tasks/verdicts.ts'
import type { Language } from './language/language.ts'
import { questionsAbout } from './questions.ts'

/** A question made of the answer, the first ones again where there are fewer than asked for, and whether the answer says that it does not know. */
export function questionOf(language: Language, { answer, index }: QuestionOfAnswerInput): string {
  const all = questionsAbout(language, answer)
  const question = all[index % Math.max(1, all.length)] ?? ''
  return JSON.stringify({ question, noncommittal: NONCOMMITTAL.test(answer) ? 1 : 0 })
}

/** How answers say that there is none. */
const NONCOMMITTAL = new RegExp(
  String.raw`\b(?:${[
    'unanswerable',
    'no information',
    '(?:is|are|was|were|remains?) (?:unknown|unclear)',
    '(?:not|cannot)(?: be)? (?:known|sure|certain|clear|determined|answered|stated|mentioned|specified|provided)',
    "(?:I|we) (?:do not|don['’]t|cannot|can['’]t) (?:know|tell|say)",
    "(?:context|text|passages?) (?:do(?:es)? not|do(?:es)?n['’]t|cannot|can['’]t) (?:say|tell|state|mention|specify)",
  ].join('|')})\b`,
  'i',
)
