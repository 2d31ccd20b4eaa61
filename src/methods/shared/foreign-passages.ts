import { itemAt } from '../../basics/collections.ts'
import { memoise, once } from '../../basics/memoise.ts'
import { lettersOf } from '../../text/characters.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Chunk, Passage } from '../../types.ts'
import { explained } from './explained.ts'
import { byDocument, wholeDocuments, type WholeDocument } from './whole-documents.ts'

/** What the first passage says where some stand in no document: their evidence is not counted. */
const foreignWords = 'passages that stand in no document of the corpus'

/**
 * Reads what a retriever gives, best first, as passages of at most `most`: each is looked for in the chunk or document
 * that its id names, else in all documents, word for word and then by its letters and digits. Without scores the rank
 * counts. Throws Error for what is no list of texts, a score that is no number or that only some have, and a passage
 * that is there twice.
 */
export function foreignPassages(chunks: readonly Chunk[]): (given: unknown, most: number) => readonly Passage[] {
  const chunkOf = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const chunksOf = byDocument(chunks)
  const documents = once(() => new Map(wholeDocuments(chunks).map((document) => [document.id, document])))
  const lettersIn = memoise(({ text }: WholeDocument) => placedLetters(text))
  const placeIn = (document: WholeDocument, words: string, how: 'exactly' | 'by letters'): Place | undefined => {
    const { id: documentId, text } = document
    const exact = text.indexOf(words)
    const found =
      how === 'by letters' ? lettersIn(document)(words) : exact < 0 ? undefined : [exact, exact + words.length]
    if (!found) return undefined
    const [start = 0, end = 0] = found
    const held = (chunksOf.get(documentId) ?? []).filter((chunk) => chunk.start < end && start < chunk.end)
    return { from: held.map(({ id }) => id), spans: [{ documentId, start, end }] }
  }
  const placeOf = (text: string, id: string | undefined): Place => {
    const chunk = id === undefined ? undefined : chunkOf.get(id)
    if (chunk?.text === text) return { from: [chunk.id] }
    const named = documents().get(chunk?.documentId ?? id ?? '')
    for (const how of ['exactly', 'by letters'] as const)
      for (const document of named ? [named] : documents().values()) {
        const place = placeIn(document, text.trim(), how)
        if (place) return place
      }
    return { from: chunk ? [chunk.id] : [] }
  }
  return (given, most) => {
    if (!Array.isArray(given)) throw new Error(`it gave passages that are ${describe(given)}, not a list`)
    const read = (given as readonly unknown[]).slice(0, most).map(checked)
    const keys = read.map(({ id, text }) => JSON.stringify([id, text]))
    const again = keys.findIndex((key, rank) => keys.indexOf(key) < rank)
    if (again >= 0)
      throw new Error(
        `its passage number ${again + 1} is its passage number ${keys.indexOf(itemAt(keys, again)) + 1} again`,
      )
    const without = read.findIndex(({ score }) => score === undefined)
    if (without >= 0 && read.some(({ score }) => score !== undefined))
      throw new Error(`its passage number ${without + 1} has no score, and others have one: give all a score, or none`)
    const placed = read.map(({ text, id, score }, rank): Passage => ({
      text,
      score: score ?? 1 / (rank + 1),
      kind: 'chunk',
      ...placeOf(text, id),
    }))
    return explained(placed, [placed.some(({ from }) => from.length === 0) ? foreignWords : undefined])
  }
}

/** Finds the letters and digits of words in a text, whole words at both ends: UTF-16 offsets of where they stand. */
function placedLetters(text: string): (words: string) => readonly [start: number, end: number] | undefined {
  const places: number[] = []
  for (const { index, 0: sign } of text.matchAll(/[\p{L}\p{N}]/gu))
    for (let at = 0; at < sign.length; at++) places.push(index + at)
  const letters = lettersOf(text)
  // a word begins where the letter before it does not stand next to it
  const isGap = (at: number): boolean => at === 0 || at === places.length || places[at] !== itemAt(places, at - 1) + 1
  return (words) => {
    const wanted = lettersOf(words)
    if (wanted === '') return undefined
    for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1))
      if (isGap(at) && isGap(at + wanted.length))
        return [itemAt(places, at), itemAt(places, at + wanted.length - 1) + 1]
    return undefined
  }
}

type Place = Pick<Passage, 'from' | 'spans'>

/** A passage of a retriever that knows nothing of chunks. `id`: of a chunk or a document, where it is one of these. */
function checked(passage: unknown, rank: number) {
  const which = `its passage number ${rank + 1}`
  if (typeof passage !== 'object' || passage === null) throw new Error(`${which} is ${describe(passage)}`)
  const { text, id, score } = passage as Readonly<Record<string, unknown>>
  if (typeof text !== 'string') throw new Error(`${which} has a text that is ${describe(text)}`)
  if (text.trim() === '') throw new Error(`${which} has an empty text`)
  const isNamed = typeof id === 'string' || typeof id === 'number'
  if (!isNamed && id !== undefined && id !== null) throw new Error(`${which} has an id that is ${describe(id)}`)
  if ((score ?? undefined) !== undefined && !Number.isFinite(score))
    throw new Error(`${which} has the score ${describe(score)}`)
  return {
    text,
    id: isNamed ? String(id) : undefined,
    score: typeof score === 'number' ? score : undefined,
  }
}
