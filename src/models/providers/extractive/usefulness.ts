import type { JudgeUsefulnessInput } from '../../../tasks/verdicts.ts'
import type { Language } from './language/language.ts'
import { coverage, rarity, stems, stemsOf, windows } from './language/overlap.ts'

/** A passage is useful where a few sentences on end hold most of the answer and some of the question; a bare yes or no is found nowhere, so there most of the question. */
export function usefulness(language: Language, { question, answer, passage }: JudgeUsefulnessInput): string {
  const sentences = language.read(passage)
  const weight = rarity(sentences)
  const asked = stems(language.line(question).words)
  const wanted = AGREEMENT.test(answer) ? new Set<string>() : stems(language.line(answer).words)
  const useful = windows(sentences, RUN).find((run) => {
    const there = stemsOf(run)
    const held = coverage(asked, there, weight)
    return wanted.size === 0 ? held >= MOST : held >= SOME && coverage(wanted, there, weight) >= MOST
  })
  const reason = useful
    ? `The passage says: ${useful.map(({ text }) => text).join(' ')}`
    : 'Nowhere does the passage hold the answer and speak of the question.'
  return JSON.stringify({ reason, verdict: useful ? 1 : 0 })
}

const AGREEMENT = /^\W*(?:yes|no)\W*$/i

/** Shares of the words of answer and question, by weight. */
const MOST = 0.5
const SOME = 0.2
const RUN = 3
