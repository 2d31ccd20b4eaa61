import type { PartOfSpeech } from 'wink-nlp'

/** A token. `start` and `end` are UTF-16 offsets into its sentence. */
export interface Word {
  readonly text: string
  /** Lower-case English stem; the lower-cased word itself where the language is not English. */
  readonly stem: string
  readonly lemma: string
  readonly pos: PartOfSpeech
  /** Neither a function word nor punctuation. */
  readonly content: boolean
  readonly start: number
  readonly end: number
}

/** Words of a sentence from index `from` up to but not including `to`. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A date or time, a duration, or a number with its unit. */
export interface Quantity extends Span {
  readonly kind: 'date' | 'duration' | 'number'
}

/** A parsed sentence; its white space is collapsed. */
export interface Sentence {
  readonly text: string
  readonly words: readonly Word[]
  readonly quantities: readonly Quantity[]
}

/** The words of a span as they stand in the sentence. */
export const textOf = ({ text, words }: Sentence, { from, to }: Span): string =>
  from < to ? text.slice(words[from]?.start, words[to - 1]?.end) : ''

/** A word in lower case; nothing where there is no word. */
export const lower = (word: Word | undefined): string => word?.text.toLowerCase() ?? ''

/** Sentences as one, a space between each two. */
export function joined(sentences: readonly Sentence[]): Sentence {
  const words: Word[] = []
  const quantities: Quantity[] = []
  let at = 0
  for (const sentence of sentences) {
    const before = words.length
    for (const word of sentence.words) words.push(moved(word, at))
    for (const { kind, from, to } of sentence.quantities)
      quantities.push({ kind, from: from + before, to: to + before })
    at += sentence.text.length + 1
  }
  return { text: sentences.map(({ text }) => text).join(' '), words, quantities }
}

const moved = (word: Word, by: number): Word => ({ ...word, start: word.start + by, end: word.end + by })
