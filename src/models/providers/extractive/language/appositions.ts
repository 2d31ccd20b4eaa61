import { mentions } from './phrases.ts'
import { lower, type Sentence, type Span } from './sentence.ts'

/** "Mount Elbrus, a volcano in Russia, …": a name and what it is said to be. */
export interface Apposition {
  readonly name: Span
  /** With its article, up to the closing comma. */
  readonly told: Span
}

/** Names that are followed by a noun phrase between commas. */
export function appositions(sentence: Sentence): readonly Apposition[] {
  const { words } = sentence
  return mentions(sentence).flatMap(({ kind, from, to }) => {
    if (kind !== 'name' || words[to]?.text !== ',' || !ARTICLES.has(lower(words[to + 1]))) return []
    const end = words.findIndex((word, index) => index > to && (word.text === ',' || word.text === '.'))
    const told = { from: to + 1, to: end }
    const verbal = words.slice(told.from, told.to).some(({ pos }) => pos === 'VERB' || pos === 'AUX')
    return end < 0 || verbal ? [] : [{ name: { from, to }, told }]
  })
}

const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])
