import { memoise, memoiseWeakly, memoiseRecent } from '../../basics/memoise.ts'
import { countEach } from '../../basics/collections.ts'
import { analyserOf } from '../../text/analyse.ts'
import { oneLine } from '../../text/characters.ts'
import { sentences } from '../../text/sentences.ts'
import { words } from '../../text/words.ts'

/** A sentence with collapsed white space, and its distinct terms. */
export interface Sentence {
  readonly text: string
  readonly terms: ReadonlySet<string>
}

/** The weight of a term. */
export type Weight = (term: string) => number

const cacheSize = 64

/** The sentences of a text, in pieces of up to 600 characters. A short line is a sentence. */
export const read = memoiseRecent(cacheSize, (text): readonly Sentence[] =>
  sentences(text.replace(shortLine, '$1\n\n'))
    .flatMap((sentence) => oneLine(sentence.text).match(piece) ?? [])
    .map(line),
)

/** The whole text as one sentence: a question, an option, a claim. */
export const line = (text: string): Sentence => ({ text: oneLine(text), terms: termsOf(text) })

/** A heading or a list item, not a wrapped line. */
const shortLine = /^(.{1,59})\n(?!\p{Ll})/gmu

const piece = /\S.{0,599}(?=\s|$)|\S.{0,599}/gsu

const stems = analyserOf('english')

/** English stems without function words; all words if there are no others. */
export function termsOf(text: string): ReadonlySet<string> {
  const all = stems(text)
  const content = all.filter((stem) => !functionWords.has(stem))
  if (content.length > 0) return new Set(content)
  return new Set(all.length > 0 ? all : words(text))
}

/** Function words that `stems` does not remove. */
const functionWords = new Set(
  stems(
    'who whom whose what which when where why how do does did has have had been were can could will would should may i you he she we him her his its our your them from than about so',
  ),
)

/** Inverse sentence frequency ln(1 + N / (1 + n)), finite for unknown terms. */
export const rarity = memoiseWeakly((all: readonly Sentence[]): Weight => {
  const frequency = countEach(all.flatMap(({ terms }) => [...terms]))
  return memoise((term) => Math.log(1 + all.length / (1 + (frequency.get(term) ?? 0))))
})

/** The share of terms, by weight, that are present, from 0 to 1; 0 without terms. */
export function coverage(terms: ReadonlySet<string>, present: ReadonlySet<string>, weight: Weight): number {
  let all = 0
  let sum = 0
  for (const term of terms) {
    all += weight(term)
    if (present.has(term)) sum += weight(term)
  }
  return all > 0 ? sum / all : 0
}

/** The sentences by the share of a question's terms (0 to 1), descending, ties in order. */
export function closest(question: string, all: readonly Sentence[]) {
  const weight = rarity(all)
  const { terms } = line(question)
  return all
    .map((sentence, place) => ({ sentence, place, share: coverage(terms, sentence.terms, weight) }))
    .sort((a, b) => b.share - a.share || a.place - b.place)
}

/** Sliding windows of `size` sentences, shorter at both ends, with their terms. */
export const windows = (all: readonly Sentence[], size: number) =>
  Array.from({ length: all.length === 0 ? 0 : all.length + size - 1 }, (_, last) => {
    const run = all.slice(Math.max(0, last - size + 1), last + 1)
    return { run, terms: new Set(run.flatMap(({ terms }) => [...terms])) }
  })

/** Whether a sentence has few words and no final punctuation, which a truncated chunk may lack, too. */
export const isHeading = ({ text }: Sentence): boolean =>
  !/[\p{Po}\p{Pf}\p{Pe}"']$/u.test(text) && text.split(' ').length < 6

/** Whether the clauses of a text with these terms have an odd number of English negations. */
export const isDenied = (text: string, about: ReadonlySet<string>): boolean =>
  text
    .split(/[,;:—–]\s/)
    .filter((part) => [...termsOf(part)].some((term) => about.has(term)))
    .flatMap((part) => part.match(negation) ?? []).length %
    2 ===
  1

const negation = /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b/gi
