import type { PartOfSpeech } from 'wink-nlp'
import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'

let opened: Promise<Wink> | undefined

/** Loads wink-nlp with its English model (2 MB, about 0.2 s), once: each loading makes the model larger. */
export const openWink = (): Promise<Wink> => (opened ??= load())

async function load(): Promise<Wink> {
  const [{ default: winkNLP }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ])
  const library = wink.parse(winkNLP(model, ['pos']))
  return {
    its: library.its,
    readDoc(text) {
      const read = library.readDoc(text)
      const spaced = withSpacedContractions(read.tokens(), library.its)
      return spaced === undefined ? read : library.readDoc(spaced)
    },
  }
}

/**
 * The text with spaces around each contraction that was not expanded; undefined where there is none. wink-nlp expands
 * one ("cannot", "dont") between spaces alone; beside a punctuation mark it stays one token, which has no lemma.
 */
function withSpacedContractions(tokens: Tokens, its: Its): string | undefined {
  const isWhole = tokens.out(its.lemma).map((lemma: string | undefined) => lemma === undefined)
  if (!isWhole.includes(true)) return undefined
  const spaces = tokens.out(its.precedingSpaces)
  return tokens
    .out()
    .map((token, index) => `${spaces[index] ?? ''}${isWhole[index] ? ` ${token} ` : token}`)
    .join('')
}

/** Its own types miss an argument here and there. */
const wink = z.custom<Wink>((library) => isObject(library) && 'readDoc' in library)

/** What is used of wink-nlp. Every token has a lemma. */
export interface Wink {
  readonly its: Its
  readDoc(text: string): { tokens(): Tokens }
}

interface Its {
  readonly pos: Property<PartOfSpeech>
  readonly lemma: Property<string>
  readonly precedingSpaces: Property<string>
}

/** Names a property of a token; `value` is never there, it only carries the type. */
interface Property<T> {
  readonly value?: T
}

interface Tokens {
  out(): readonly string[]
  out<T>(property: Property<T>): readonly T[]
}
