import type { PartOfSpeech } from 'wink-nlp'
import { itemAt } from '../../../basics/collections.ts'
import { once, remembered } from '../../../basics/memoise.ts'
import { paragraphs, sentences } from '../../../text/sentences.ts'
import { openWink, type Entities, type Its, type Tokens } from '../../../text/wink.ts'

/** A token. `start` and `end` are UTF-16 offsets into its sentence. */
export interface Word {
  readonly text: string
  /** Lower-case English stem of the lemma ("grew" and "grow" are one); of another language the word itself. */
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

/** Reads text: sentences with parts of speech, stems, dates and numbers. */
export interface Language {
  readonly read: (text: string) => readonly Sentence[]
  /** The whole text as one sentence: a question, an option, a claim. */
  readonly line: (text: string) => Sentence
}

/** The words of a span as they stand in the sentence. */
export const textOf = ({ text, words }: Sentence, { from, to }: Span): string =>
  from < to ? text.slice(words[from]?.start, words[to - 1]?.end) : ''

/** A word in lower case; nothing where there is no word. */
export const lower = (word: Word | undefined): string => word?.text.toLowerCase() ?? ''

/** A set of words, written with spaces between them. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Loads the English model. Text in other languages is read as words without grammar. Results are remembered. */
export async function openLanguage(): Promise<Language> {
  const parse = remembered(SENTENCES_KEPT, await openParser())
  const readParagraph = remembered(PARAGRAPHS_KEPT, (paragraph) =>
    sentences(paragraph)
      .flatMap((sentence) => pieces(plain(sentence.text)))
      .filter((sentence) => sentence !== '')
      .map(parse),
  )
  return {
    read: remembered(TEXTS_KEPT, (text) =>
      paragraphs(text)
        .flatMap((paragraph) => unwrapped(paragraph.text))
        .flatMap(readParagraph),
    ),
    line: (text) => joined(pieces(plain(text)).map(parse)),
  }
}

/** Enough for the chunks of a long book. */
const SENTENCES_KEPT = 8192
const PARAGRAPHS_KEPT = 2048
/** A context that is the same for every question is read once. */
const TEXTS_KEPT = 2

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The lines of a paragraph, where a line break does not only wrap a long line: headings and list items stand alone. */
function unwrapped(paragraph: string): readonly string[] {
  const lines: string[] = []
  let before = ''
  for (const line of paragraph.split('\n').map((raw) => raw.trim())) {
    const isWrapped = before.length >= 60 && before.length <= 90
    const goesOn = /^\p{Ll}/u.test(line) || isWrapped
    const last = goesOn ? lines.pop() : undefined
    lines.push(last === undefined ? line : `${last} ${line}`)
    before = line
  }
  return lines
}

/** Text without punctuation is cut at spaces, so that no "sentence" is longer than about 250 English words. */
function pieces(sentence: string): readonly string[] {
  const cut: string[] = []
  let rest = sentence
  while (rest.length > LONGEST_SENTENCE) {
    const space = rest.lastIndexOf(' ', LONGEST_SENTENCE)
    const end = space > 0 ? space : LONGEST_SENTENCE
    cut.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...cut, rest]
}

/** In UTF-16 units. */
const LONGEST_SENTENCE = 1500

function joined(sentences: readonly Sentence[]): Sentence {
  const words: Word[] = []
  const quantities: Quantity[] = []
  let at = 0
  for (const sentence of sentences) {
    const [before, shift] = [words.length, at]
    words.push(...sentence.words.map((word) => ({ ...word, start: word.start + shift, end: word.end + shift })))
    quantities.push(
      ...sentence.quantities.map(({ kind, from, to }) => ({ kind, from: from + before, to: to + before })),
    )
    at += sentence.text.length + 1
  }
  return { text: sentences.map(({ text }) => text).join(' '), words, quantities }
}

const openParser = once(async (): Promise<(sentence: string) => Sentence> => {
  const wink = await openWink()
  const stemOf = remembered(LEMMAS_KEPT, (lemma) => wink.readDoc(lemma).tokens().out(wink.its.stem).join(''))
  return (text) => {
    if (UNSPACED.test(text)) return { text, words: segmented(text), quantities: [] }
    const parsed = wink.readDoc(text)
    const words = wordsOf(text, parsed.tokens(), wink.its, stemOf)
    return { text, words, quantities: quantitiesOf(words, parsed.entities(), wink.its) }
  }
})

function wordsOf(text: string, tokens: Tokens, its: Its, stemOf: (lemma: string) => string): readonly Word[] {
  const pos = tokens.out(its.pos)
  const functional = tokens.out(its.stopWordFlag)
  const lemmas = tokens.out(its.lemma)
  let end = 0
  return tokens.out().map((value, index) => {
    const start = Math.max(end, text.indexOf(value, end))
    end = start + value.length
    const lemma = itemAt(lemmas, index)
    return {
      text: value,
      stem: (LATIN.test(value) ? stemOf(lemma) : value).toLowerCase(),
      lemma,
      pos: itemAt(pos, index),
      content: (functional[index] !== true || pos[index] === 'NUM') && /[\p{L}\p{N}]/u.test(value),
      start,
      end,
    }
  })
}

function quantitiesOf(words: readonly Word[], entities: Entities, its: Its): readonly Quantity[] {
  const found: Quantity[] = []
  entities.each((entity) => {
    const kind = KINDS[entity.out(its.type)]
    const [first, last] = entity.out(its.span)
    if (kind) found.push({ kind, from: first, to: last + 1 })
  })
  const taken = new Set(found.flatMap(({ from, to }) => words.slice(from, to)))
  for (const [from, word] of words.entries()) {
    const kind = YEARS.test(word.text) ? 'date' : word.pos === 'NUM' ? 'number' : undefined
    if (kind && !taken.has(word)) found.push({ kind, from, to: from + 1 })
  }
  return found.sort((a, b) => a.from - b.from)
}

/** Scripts without spaces between words: dictionary segmentation, no grammar. */
function segmented(text: string): readonly Word[] {
  return [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)]
    .filter(({ segment }) => segment.trim() !== '')
    .map(({ segment, index, isWordLike = false }) => ({
      text: segment,
      stem: segment.toLowerCase(),
      lemma: segment,
      pos: isWordLike ? 'X' : 'PUNCT',
      content: isWordLike,
      start: index,
      end: index + segment.length,
    }))
}

/** Enough for the vocabulary of a long book. */
const LEMMAS_KEPT = 16384
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const LATIN = /^[\p{Script=Latin}\p{N}'’.-]+$/u
/** 1867, 2008-2009, 1990s. */
const YEARS = /^(?:1\d|20)\d\d(?:s|[-–](?:\d\d){1,2})?$/

/** The entity types of wink-nlp that say when, how long and how much. */
const KINDS: Readonly<Record<string, Quantity['kind']>> = {
  DATE: 'date',
  TIME: 'date',
  DURATION: 'duration',
  CARDINAL: 'number',
  ORDINAL: 'number',
  MONEY: 'number',
  PERCENT: 'number',
}
