import { remembered } from '../../../../basics/remembered.ts'
import { sentences } from '../../../../text/sentences.ts'
import { unwrappedParagraphs } from './unwrapped-paragraphs.ts'
import { openParser } from './parser.ts'
import { joined, type Sentence } from './sentence.ts'

/** Reads text: sentences with parts of speech, stems, dates and numbers. */
export interface Language {
  read(text: string): readonly Sentence[]
  /** The whole text as one sentence: a question, an option, a claim. */
  line(text: string): Sentence
}

/**
 * Loads the English model. Text in other languages is read as words without grammar. A sentence is parsed once, however often it is met,
 * and the last texts and paragraphs give the same list again.
 */
export async function openLanguage(): Promise<Language> {
  const parse = remembered(SENTENCES_KEPT, await openParser())
  const readParagraph = remembered(PARAGRAPHS_KEPT, (paragraph) =>
    sentences(paragraph)
      .flatMap((sentence) => pieces(plain(sentence.text)))
      .filter((sentence) => sentence !== '')
      .map(parse),
  )
  return {
    read: remembered(TEXTS_KEPT, (text) => unwrappedParagraphs(text).flatMap(readParagraph)),
    line: (text) => joined(pieces(plain(text)).map(parse)),
  }
}

/** Enough for the chunks of a long book. */
const SENTENCES_KEPT = 8192
const PARAGRAPHS_KEPT = 2048
/** A context that is the same for every question is asked again at once. */
const TEXTS_KEPT = 2

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What nobody punctuated is cut at a space, so that a "sentence" stays one that grammar can say something about. */
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

/** In UTF-16 units: about 250 English words. */
const LONGEST_SENTENCE = 1500
