import { remembered } from '../../../../basics/remembered.ts'
import { openWink, type Entities, type Its, type Tokens } from '../../../../text/wink.ts'
import type { Quantity, Sentence, Word } from './sentence.ts'

type Parse = (sentence: string) => Sentence

let opened: Promise<Parse> | undefined

/** Gives the English parse of one sentence. */
export const openParser = (): Promise<Parse> => (opened ??= load())

async function load(): Promise<Parse> {
  const wink = await openWink()
  const stemOf = remembered(LEMMAS_KEPT, (lemma) => wink.readDoc(lemma).tokens().out(wink.its.stem).join(''))
  return (text) => {
    if (UNSPACED.test(text)) return { text, words: segmented(text), quantities: [] }
    const parsed = wink.readDoc(text)
    const words = wordsOf(text, parsed.tokens(), wink.its, stemOf)
    return { text, words, quantities: quantitiesOf(words, parsed.entities(), wink.its) }
  }
}

/** The stem is that of the lemma, so that "grew" and "grow", "women" and "woman" are one; so are number words, which are content. */
function wordsOf(text: string, tokens: Tokens, its: Its, stemOf: (lemma: string) => string): readonly Word[] {
  const pos = tokens.out(its.pos)
  const functional = tokens.out(its.stopWordFlag)
  const lemmas = tokens.out(its.lemma)
  let cursor = 0
  return tokens.out().map((value, index) => {
    const start = Math.max(cursor, text.indexOf(value, cursor))
    cursor = start + value.length
    return {
      text: value,
      stem: (LATIN.test(value) ? stemOf(lemmas[index] ?? value) : value).toLowerCase(),
      lemma: lemmas[index] ?? value,
      pos: pos[index] ?? 'X',
      content: (functional[index] !== true || pos[index] === 'NUM') && LETTER_OR_DIGIT.test(value),
      start,
      end: cursor,
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
  words.forEach((word, index) => {
    if (taken.has(word)) return
    if (YEARS.test(word.text)) found.push({ kind: 'date', from: index, to: index + 1 })
    else if (word.pos === 'NUM') found.push({ kind: 'number', from: index, to: index + 1 })
  })
  return found.sort((a, b) => a.from - b.from)
}

/** Scripts without spaces between words: dictionary segmentation, no grammar. */
function segmented(text: string): readonly Word[] {
  return [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)]
    .filter(({ segment }) => segment.trim() !== '')
    .map(({ segment, index, isWordLike }) => ({
      text: segment,
      stem: segment.toLowerCase(),
      lemma: segment,
      pos: isWordLike ? 'X' : 'PUNCT',
      content: isWordLike ?? false,
      start: index,
      end: index + segment.length,
    }))
}

/** Enough for the vocabulary of a long book. */
const LEMMAS_KEPT = 16384
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const LATIN = /^[\p{Script=Latin}\p{N}'’.-]+$/u
/** 1867, 2008-2009, 1990s. */
const YEARS = /^(?:1\d|20)\d\d(?:s|[-–](?:\d\d){1,2})?$/

/** wink-nlp's entity types that say when, how long and how much. */
const KINDS: Readonly<Record<string, Quantity['kind']>> = {
  DATE: 'date',
  TIME: 'date',
  DURATION: 'duration',
  CARDINAL: 'number',
  ORDINAL: 'number',
  MONEY: 'number',
  PERCENT: 'number',
}
