import { openWink } from './wink.ts'

/**
 * Gives the noun phrases of an English text in upper case, in order, repeated as often as they stand there: runs of adjectives and nouns
 * that end in a noun. Only those count that hold a name, or two words or more; a word longer than 25 letters is none.
 */
export async function nounPhrases(): Promise<(text: string) => readonly string[]> {
  const wink = await openWink()
  return (text) => {
    const tokens = wink.readDoc(text).tokens()
    const words = tokens.out()
    const tags = tokens.out(wink.its.pos)
    const found: string[] = []
    let run: Word[] = []
    const close = (): void => {
      const last = run.findLastIndex(({ tag }) => NOUNS.has(tag))
      const phrase = run.slice(0, last + 1)
      if (phrase.length > 1 || phrase.some(({ tag }) => tag === 'PROPN'))
        found.push(phrase.map(({ word }) => word.toUpperCase()).join(' '))
      run = []
    }
    for (const [place, word] of words.entries()) {
      const tag = tags[place] ?? 'X'
      if ((NOUNS.has(tag) || tag === 'ADJ') && WORD.test(word)) run.push({ word, tag })
      else close()
    }
    close()
    return found
  }
}

interface Word {
  readonly word: string
  readonly tag: string
}

const NOUNS: ReadonlySet<string> = new Set(['NOUN', 'PROPN'])
const WORD = /^(?=.*\p{L})[\p{L}\p{M}\p{N}'’.&-]{1,25}$/u
