import { memoiseWeakly } from '../../../../basics/memoise.ts'
import { type Quantity, type Sentence, type Span, textOf, type Word } from './sentence.ts'

/** A noun phrase without its article; a `name` is one of proper nouns. */
export interface Phrase extends Span {
  readonly kind: 'name' | 'noun'
  readonly text: string
}

/** Something that a sentence speaks of. */
export interface Mention extends Span {
  readonly kind: Phrase['kind'] | Quantity['kind']
  readonly text: string
}

/** The noun phrases of a sentence, in order and apart: runs of adjectives, numbers and nouns that end in a noun; "University of Warsaw" is one. */
export const phrases = memoiseWeakly((sentence: Sentence): readonly Phrase[] => {
  const { words, quantities } = sentence
  const found: Phrase[] = []
  const borders = new Set(quantities.flatMap(({ kind, from, to }) => (kind === 'date' ? [from, to] : [])))
  for (let from = 0; from < words.length;) {
    if (!inside(words, from)) {
      from++
      continue
    }
    let to = from + 1
    while (to < words.length && !borders.has(to) && (inside(words, to) || linksNames(words, to))) to++
    const phrase = trimmed(sentence, from, to)
    if (phrase) found.push(phrase)
    from = to
  }
  return found.length > 0 ? found : words.flatMap((word, index) => foreign(word, index))
})

/** The noun phrases, dates and numbers of a sentence, in order and apart: of two that overlap, the longer. */
export function mentions(sentence: Sentence): readonly Mention[] {
  const found: readonly Mention[] = [
    ...phrases(sentence),
    ...sentence.quantities.map(({ kind, from, to }) => ({ kind, from, to, text: textOf(sentence, { from, to }) })),
  ]
  // whoever lies within another comes behind it here, so that one look at the farthest end tells
  const outermost: Mention[] = []
  let farthest = -1
  for (const one of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.to > farthest) outermost.push(one)
    farthest = Math.max(farthest, one.to)
  }
  return outermost
}

/** Whether only commas, articles and conjunctions stand between two spans, one of them at least: "A, B and C". */
export function coordinated({ words }: Sentence, a: Span, b: Span): boolean {
  const between = words.slice(a.to, b.from)
  return (
    between.some((word) => word.text === ',' || word.pos === 'CCONJ') &&
    between.every((word) => word.text === ',' || word.pos === 'CCONJ' || word.pos === 'DET')
  )
}

function inside(words: readonly Word[], index: number): boolean {
  const compound = glued(words, index) || glued(words, index - 1) || glued(words, index + 1) // state-of-the-art, GPU-based
  return compound || nounLike(words, index) || NOMINAL.has(words[index]?.pos ?? 'X')
}

/** A hyphen without spaces around it. */
function glued(words: readonly Word[], index: number): boolean {
  const hyphen = words[index]
  return hyphen?.text === '-' && words[index - 1]?.end === hyphen.start && words[index + 1]?.start === hyphen.end
}

function linksNames(words: readonly Word[], index: number): boolean {
  return words[index]?.text === 'of' && words[index - 1]?.pos === 'PROPN' && words[index + 1]?.pos === 'PROPN'
}

function trimmed(sentence: Sentence, start: number, end: number): Phrase | undefined {
  const { words } = sentence
  let [from, to] = [start, end]
  while (to > from && !nounLike(words, to - 1)) to--
  if (to === from) return undefined
  const last = words[to - 1]
  const named = last?.pos === 'PROPN' || (capital(last) && to - from > 1 && capital(words[to - 2]))
  if (named) while (from < to - 1 && !capital(words[from]) && words[from]?.pos !== 'PROPN') from++
  while (from < to - 1 && words[from]?.pos === 'PUNCT') from++
  return { kind: named ? 'name' : 'noun', from, to, text: textOf(sentence, { from, to }) }
}

/** Where no grammar is known, every content word stands for itself. */
const foreign = (word: Word, index: number): Phrase[] =>
  word.pos === 'X' && word.content ? [{ kind: 'noun', from: index, to: index + 1, text: word.text }] : []

/** A noun, or what the tagger did not know for the rest of a name. */
const nounLike = (words: readonly Word[], index: number): boolean =>
  NOUNS.has(words[index]?.pos ?? 'X') || (capital(words[index]) && words[index - 1]?.pos === 'PROPN')

const capital = (word: Word | undefined): boolean => word !== undefined && /^\p{Lu}/u.test(word.text)

const NOMINAL: ReadonlySet<string> = new Set(['ADJ', 'NUM', 'NOUN', 'PROPN'])
const NOUNS: ReadonlySet<string> = new Set(['NOUN', 'PROPN'])
