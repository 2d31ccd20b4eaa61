import type { DraftedQuestion, DraftQuestionInput } from '../../../tasks/draft-question.ts'
import type { Language } from './language/language.ts'
import { statements } from './language/references.ts'
import { salience } from './language/salience.ts'
import { answeredQuestions, inTurns } from './questions.ts'

/** The first question of a central sentence that was not drafted yet, with the part of the clause that it asks for; empty where there is none. */
export function draft(language: Language, { text, already }: DraftQuestionInput): string {
  const sentences = language.read(text)
  const worth = salience(sentences)
  const order = [...sentences.keys()].sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b)
  const drafts = sentences.map((): DraftedQuestion[] => [])
  for (const statement of statements(sentences))
    for (const { question, answer } of answeredQuestions(statement))
      drafts[statement.place]?.push({ question, answer, evidence: statement.sentence.text })
  const asked = new Set(already.map((question) => question.toLowerCase()))
  const found = inTurns(order.map((place) => drafts[place] ?? [])).find(
    ({ question, answer }) => answer !== '' && !asked.has(question.toLowerCase()),
  )
  return JSON.stringify(found ?? { question: '', answer: '', evidence: '' })
}
