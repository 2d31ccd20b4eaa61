import type { Language } from './language.ts'
import { coverage, rarity, stems } from './overlap.ts'
import type { Sentence } from './sentence.ts'

/** The share of a question, by weight, that each sentence holds: 0 to 1. */
export function sharesOf(language: Language, question: string, sentences: readonly Sentence[]): readonly number[] {
  const weight = rarity(sentences)
  const asked = stems(language.line(question).words)
  return sentences.map(({ words }) => coverage(asked, stems(words), weight))
}
