import { words } from '../../../text/words.ts'
import type { CompareAnswersInput, Criterion } from '../../../tasks/verdicts.ts'

/** Which of two answers has more of what a criterion counts here: a rule about words in place of a judge, which knows no order. */
export function preference({ question, criterion, first, second }: CompareAnswersInput): string {
  const [one, other] = [countIn(first, question, criterion), countIn(second, question, criterion)]
  const winner = one === other ? 0 : one > other ? 1 : 2
  return JSON.stringify({ reason: `${counted[criterion]}: ${one} and ${other}.`, winner })
}

const counted: Readonly<Record<Criterion, string>> = {
  comprehensiveness: 'Different words',
  diversity: 'Different words that the question does not have',
  empowerment: 'Different words of the question',
  directness: 'Different words of the question, for each word',
}

function countIn(answer: string, question: string, criterion: Criterion): number {
  const all = words(answer)
  const different = new Set(all)
  const shared = [...new Set(words(question))].filter((word) => different.has(word)).length
  if (criterion === 'comprehensiveness') return different.size
  if (criterion === 'diversity') return different.size - shared
  return criterion === 'empowerment' ? shared : shared / Math.max(1, all.length)
}
