import { memoiseWeakly } from '../../../basics/memoise.ts'
import { lower, type Quantity, type Sentence, type Span, textOf, type Word, wordSet } from './language.ts'

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

/** The noun phrases of a sentence: runs of adjectives, numbers and nouns; "University of Warsaw" is one. */
export const phrases = memoiseWeakly((sentence: Sentence): readonly Phrase[] => {
  const { words, quantities } = sentence
  const found: Phrase[] = []
  const borders = new Set(quantities.flatMap(({ kind, from, to }) => (kind === 'date' ? [from, to] : [])))
  for (let from = 0; from < words.length; from++) {
    if (!isInside(words, from)) continue
    let to = from + 1
    while (to < words.length && !borders.has(to) && (isInside(words, to) || linksNames(words, to))) to++
    const phrase = trimmed(sentence, from, to)
    if (phrase) found.push(phrase)
    from = to - 1
  }
  return found.length > 0 ? found : unparsed(words)
})

/** The noun phrases, dates and numbers of a sentence, in order and apart: of two that overlap, the longer. */
export function mentions(sentence: Sentence): readonly Mention[] {
  const found: readonly Mention[] = [
    ...phrases(sentence),
    ...sentence.quantities.map(({ kind, from, to }) => ({ kind, from, to, text: textOf(sentence, { from, to }) })),
  ]
  const outermost: Mention[] = []
  let farthest = -1
  for (const one of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.to > farthest) outermost.push(one)
    farthest = Math.max(farthest, one.to)
  }
  return outermost
}

/** "Mount Elbrus, a volcano in Russia, …": names, and the noun phrase between commas that says what each is. */
export function appositions(sentence: Sentence): readonly { readonly name: Span; readonly told: Span }[] {
  const { words } = sentence
  return mentions(sentence).flatMap(({ kind, from, to }) => {
    if (kind !== 'name' || words[to]?.text !== ',' || !ARTICLES.has(lower(words[to + 1]))) return []
    const end = words.findIndex((word, index) => index > to && (word.text === ',' || word.text === '.'))
    const told = { from: to + 1, to: end }
    const isVerbal = words.slice(told.from, told.to).some(({ pos }) => pos === 'VERB' || pos === 'AUX')
    return end < 0 || isVerbal ? [] : [{ name: { from, to }, told }]
  })
}

/** Whether only commas, articles and conjunctions stand between two spans, not articles alone: "A, B and C". */
export function coordinated({ words }: Sentence, a: Span, b: Span): boolean {
  const between = words.slice(a.to, b.from).filter(({ pos }) => pos !== 'DET')
  return between.length > 0 && between.every(({ text, pos }) => text === ',' || pos === 'CCONJ')
}

/** Whether a line is a heading: it has grammar but no verb. Without known grammar nothing is a heading. */
export const isHeading = ({ words }: Sentence): boolean =>
  words.every(({ pos }) => pos !== 'VERB' && pos !== 'AUX') && words.some(({ pos }) => pos !== 'X' && pos !== 'PUNCT')

/** Whether a noun phrase looks like a person: a title, a noun for people, or a name unlike those of places. */
export function isPerson({ words }: Sentence, { from, to }: Span): boolean {
  const inside = words.slice(from, to)
  const last = inside.at(-1)
  if (!last || inside.some((word) => /\d/.test(word.text))) return false
  if (inside.some((word) => TITLE.test(word.text))) return true
  if (last.pos !== 'PROPN') return isPeople(last.lemma)
  const isSpelled = inside.every((word) => /^\p{Lu}(?:\p{Ll}+|\.)$/u.test(word.text))
  const isThing = inside.some((word) => THING.test(word.text)) || lower(words[from - 1]) === 'the'
  return isSpelled && !isThing && inside.length > 1 && inside.length < 4
}

/** Whether a noun is a word for people. */
export const isPeople = (lemma: string): boolean => PEOPLE.test(lemma)

function isInside(words: readonly Word[], index: number): boolean {
  // state-of-the-art, GPU-based
  const isCompound = [index - 1, index, index + 1].some((at) => isHyphen(words, at))
  return isCompound || isNounLike(words, index) || NOMINAL.has(words[index]?.pos ?? 'X')
}

function isHyphen(words: readonly Word[], index: number): boolean {
  const hyphen = words[index]
  return hyphen?.text === '-' && words[index - 1]?.end === hyphen.start && words[index + 1]?.start === hyphen.end
}

const linksNames = (words: readonly Word[], index: number): boolean =>
  words[index]?.text === 'of' && words[index - 1]?.pos === 'PROPN' && words[index + 1]?.pos === 'PROPN'

function trimmed(sentence: Sentence, start: number, end: number): Phrase | undefined {
  const { words } = sentence
  let [from, to] = [start, end]
  while (to > from && !isNounLike(words, to - 1)) to--
  if (to === from) return undefined
  const last = words[to - 1]
  const isName = last?.pos === 'PROPN' || (isCapital(last) && to - from > 1 && isCapital(words[to - 2]))
  if (isName) while (from < to - 1 && !isCapital(words[from]) && words[from]?.pos !== 'PROPN') from++
  while (from < to - 1 && words[from]?.pos === 'PUNCT') from++
  return { kind: isName ? 'name' : 'noun', from, to, text: textOf(sentence, { from, to }) }
}

/** Where no grammar is known, every content word stands for itself. */
const unparsed = (words: readonly Word[]): readonly Phrase[] =>
  words.flatMap(({ pos, content, text }, from) =>
    pos === 'X' && content ? [{ kind: 'noun', from, to: from + 1, text }] : [],
  )

/** A noun, or what the tagger did not know for the rest of a name. */
const isNounLike = (words: readonly Word[], index: number): boolean =>
  NOUNS.has(words[index]?.pos ?? 'X') || (isCapital(words[index]) && words[index - 1]?.pos === 'PROPN')

const isCapital = (word: Word | undefined): boolean => word !== undefined && /^\p{Lu}/u.test(word.text)

const ARTICLES = wordSet('a an the')
/** Parts of speech of nouns. */
export const NOUNS = wordSet('NOUN PROPN')
const NOMINAL = wordSet('ADJ NUM NOUN PROPN')
const TITLE = /^(?:Mrs?|Ms|Dr|Sir|Lady|Lord|King|Queen|Prince|Princess|President|Captain|Professor|Prof|Saint)\.?$/
const THING =
  /^(?:Mount|Lake|Cape|River|Sea|Ocean|Bay|Island|Islands|City|County|Town|Street|Road|Bridge|Tower|House|Hall|Park|Castle|Mill|Station|University|College|School|Institute|Museum|Church|Company|Corporation|Inc|Ltd|Party|League|Club|Band|Union|War|Battle|Republic|States|Kingdom|America|Africa|Zealand|New|North|South|East|West|United|Association|Agency|Act|Prize|Award)$/
const PEOPLE =
  /^(?:people|person|child|boy|girl|man|woman|king|queen|doctor|father|mother|parent|son|daughter|brother|sister|wife|husband|friend|chief|guard|captain|nurse|pilot|crew|author|actor|artist|scientist|physicist|chemist|engineer|teacher|student|writer|singer|player|leader|president|minister|soldier|officer|worker|farmer|keeper|sailor|fisherman|inventor|founder|explorer|researcher|physician|patient|participant|user|owner|librarian|historian|musician|politician)$/i
