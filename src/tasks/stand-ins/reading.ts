import { memoise, memoiseWeakly, memoiseRecent } from '../../basics/memoise.ts'
import { countEach } from '../../basics/collections.ts'
import { analyserOf } from '../../text/analyse.ts'
import { sentences } from '../../text/sentences.ts'
import { words } from '../../text/words.ts'

/** A sentence with its white space collapsed, and the distinct terms that it is compared by. */
export interface Sentence {
  readonly text: string
  readonly terms: ReadonlySet<string>
}

/** How much a term tells. */
export type Weight = (term: string) => number

const textsKept = 64

/** The sentences of a text, or pieces of 600 characters where one is longer. A short line stands alone. */
export const read = memoiseRecent(textsKept, (text): readonly Sentence[] =>
  sentences(text.replace(shortLine, '$1\n\n'))
    .flatMap((sentence) => collapsed(sentence.text).match(piece) ?? [])
    .map(line),
)

/** The whole text as one sentence: a question, an option, a claim. */
export const line = (text: string): Sentence => ({ text: collapsed(text), terms: termsOf(text) })

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A heading or a list item, not a line that was wrapped at a margin. */
const shortLine = /^(.{1,59})\n(?!\p{Ll})/gmu

const piece = /\S.{0,599}(?=\s|$)|\S.{0,599}/gsu

const stems = analyserOf('english')

/** English stems without function words; all words where a text has no others. */
export function termsOf(text: string): ReadonlySet<string> {
  const all = stems(text)
  const content = all.filter((stem) => !functionWords.has(stem))
  if (content.length > 0) return new Set(content)
  return new Set(all.length > 0 ? all : words(text))
}

/** Those that `stems` leaves. */
const functionWords = new Set(
  stems(
    'who whom whose what which when where why how do does did has have had been were can could will would should may i you he she we him her his its our your them from than about so',
  ),
)

/** Inverse sentence frequency ln(1 + N / (1 + n)): finite for terms that are not there. */
export const rarity = memoiseWeakly((all: readonly Sentence[]): Weight => {
  const frequency = countEach(all.flatMap(({ terms }) => [...terms]))
  return memoise((term) => Math.log(1 + all.length / (1 + (frequency.get(term) ?? 0))))
})

/** The share of the wanted terms, by weight, that are there: 0 to 1; 0 when nothing is wanted. */
export function coverage(wanted: ReadonlySet<string>, there: ReadonlySet<string>, weight: Weight): number {
  let [all, sum] = [0, 0]
  for (const term of wanted) {
    all += weight(term)
    if (there.has(term)) sum += weight(term)
  }
  return all > 0 ? sum / all : 0
}

/** The sentences by the share of a question that they hold (0 to 1), the highest first, ties in their order. */
export function closest(question: string, all: readonly Sentence[]) {
  const weight = rarity(all)
  const { terms } = line(question)
  return all
    .map((sentence, place) => ({ sentence, place, share: coverage(terms, sentence.terms, weight) }))
    .sort((a, b) => b.share - a.share || a.place - b.place)
}

/** Every run of `size` sentences, shorter ones at both ends, with the terms of all of them. */
export const windows = (all: readonly Sentence[], size: number) =>
  Array.from({ length: all.length === 0 ? 0 : all.length + size - 1 }, (_, last) => {
    const run = all.slice(Math.max(0, last - size + 1), last + 1)
    return { run, terms: new Set(run.flatMap(({ terms }) => [...terms])) }
  })

/**
 * Whether a sentence is of few words and has no full stop or other mark at its end. A cut chunk may lack the mark, too.
 */
export const isHeading = ({ text }: Sentence): boolean =>
  !/[\p{Po}\p{Pf}\p{Pe}"']$/u.test(text) && text.split(' ').length < 6

/** Whether the parts of a text, between commas, that speak of these terms hold an odd number of English negations. */
export const isDenied = (text: string, about: ReadonlySet<string>): boolean =>
  text
    .split(/[,;:—–]\s/)
    .filter((part) => [...termsOf(part)].some((term) => about.has(term)))
    .flatMap((part) => part.match(negation) ?? []).length %
    2 ===
  1

const negation = /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b/gi
