import { sentences } from '../../../../text/sentences.ts'
import { unwrappedParagraphs } from './unwrapped-paragraphs.ts'
import { openParser } from './parser.ts'
import { remembered } from './remembered.ts'
import { joined, type Sentence } from './sentence.ts'

/** Reads text: sentences with parts of speech, stems, dates and numbers. */
export interface Language {
  read(text: string): readonly Sentence[]
  /** The whole text as one sentence: a question, an option, a claim. */
  line(text: string): Sentence
}

/** Loads the English model. Text in other languages is read as words without grammar. A sentence is parsed once, however often it is met. */
export async function openLanguage(): Promise<Language> {
  const parse = remembered(SENTENCES_KEPT, await openParser())
  return {
    read: (text) =>
      unwrappedParagraphs(text)
        .flatMap((paragraph) => sentences(paragraph).flatMap((sentence) => pieces(plain(sentence.text))))
        .filter((sentence) => sentence !== '')
        .map(parse),
    line: (text) => joined(pieces(plain(text)).map(parse)),
  }
}

/** Enough for the chunks of a long book. */
const SENTENCES_KEPT = 8192

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
