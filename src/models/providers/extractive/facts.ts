import type { FilterFactsInput } from '../../../tasks/open-ie.ts'
import type { Language } from './language/language.ts'
import { coverage, rarity, stems } from './language/overlap.ts'

/** The facts, so many as are wanted, that share the most with the question, by rarity of the words; none that shares nothing. */
export function helpfulFacts(language: Language, { question, facts, most }: FilterFactsInput): string {
  const lines = facts.map((fact) => language.line(fact.join(' ')))
  const weight = rarity(lines)
  const asked = stems(language.line(question).words)
  const fact = facts
    .map((fact, index) => ({ fact, index, score: coverage(asked, stems(lines[index]?.words ?? []), weight) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, most)
    .map(({ fact }) => fact)
  return JSON.stringify({ fact })
}
