import { z } from 'zod'
import { itemAt } from '../../basics/collections.ts'
import { memoise, once } from '../../basics/memoise.ts'
import { lettersOf } from '../../text/characters.ts'
import { describe, validationErrors } from '../../text/validation-errors.ts'
import type { Chunk, Passage } from '../../types.ts'
import { addTrace } from './add-trace.ts'
import { chunksBetween, placeOfQuote, wholeDocuments, type WholeDocument } from './whole-documents.ts'

const unlocatedNote = 'passages that stand in no document of the corpus'

/**
 * Reads at most `most` passages of an external retriever, best first. Each is located in the chunk or document of its
 * id, else in all documents, word for word and then by its letters and digits. Throws Error for a malformed list.
 */
export function externalPassageReader(chunks: readonly Chunk[]): (list: unknown, most: number) => readonly Passage[] {
  const chunkOf = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const documents = once(() => new Map(wholeDocuments(chunks).map((document) => [document.id, document])))
  const lettersIn = memoise(({ text }: WholeDocument) => letterFinder(text))
  const placeIn = (document: WholeDocument, words: string, how: 'exactly' | 'by letters'): Place | undefined => {
    const { id: documentId } = document
    const quote = { documentId, text: words }
    const span = how === 'exactly' ? placeOfQuote(quote, document) : lettersIn(document)(words)
    return span && { from: chunksBetween(document.chunks, span), spans: [{ documentId, ...span }] }
  }
  const placeOf = (text: string, id: string): Place => {
    const chunk = chunkOf.get(id)
    if (chunk?.text === text) return { from: [chunk.id] }
    const namedDocument = documents().get(chunk?.documentId ?? id)
    for (const how of ['exactly', 'by letters'] as const)
      for (const document of namedDocument ? [namedDocument] : documents().values()) {
        const place = placeIn(document, text.trim(), how)
        if (place) return place
      }
    return { from: chunk ? [chunk.id] : [] }
  }
  return (list, most) => {
    if (!Array.isArray(list)) throw new Error(`it gave passages that are ${describe(list)}, not a list`)
    const inputs = (list as readonly unknown[]).slice(0, most).map(readPassage)
    const keys = inputs.map(({ id, text }) => JSON.stringify([id, text]))
    const duplicate = keys.findIndex((key, rank) => keys.indexOf(key) < rank)
    if (duplicate >= 0) throw new Error(`its passage number ${duplicate + 1} is there already`)
    const hasScore = inputs.map(({ score }) => typeof score === 'number')
    const missing = hasScore.indexOf(false)
    if (missing >= 0 && hasScore.includes(true))
      throw new Error(`its passage number ${missing + 1} has no score, and others have one: give all a score, or none`)
    const passages = inputs.map(({ text, id, score }, rank): Passage => ({
      text,
      score: score ?? 1 / (rank + 1),
      kind: 'chunk',
      ...placeOf(text, id ?? ''),
    }))
    const areLocated = passages.every(({ from }) => from.length > 0)
    return addTrace(passages, [areLocated ? undefined : unlocatedNote])
  }
}

/** Finds words in a text by letters and digits alone, at word boundaries; returns UTF-16 offsets. */
function letterFinder(text: string) {
  const places: number[] = []
  for (const { index, 0: sign } of text.matchAll(/[\p{L}\p{N}]/gu))
    for (let at = 0; at < sign.length; at++) places.push(index + at)
  const letters = lettersOf(text)
  // a word boundary is a gap between the places of two letters
  const isGap = (at: number): boolean => {
    const isEnd = at === 0 || at === places.length
    return isEnd || places[at] !== itemAt(places, at - 1) + 1
  }
  return (words: string) => {
    const target = lettersOf(words)
    if (target === '') return undefined
    for (let at = letters.indexOf(target); at >= 0; at = letters.indexOf(target, at + 1))
      if (isGap(at) && isGap(at + target.length))
        return { start: itemAt(places, at), end: itemAt(places, at + target.length - 1) + 1 }
    return undefined
  }
}

type Place = Pick<Passage, 'from' | 'spans'>

/** `id`: possibly that of a chunk or a document. */
const passageForm = z.object({
  text: z.string().refine((text) => text.trim() !== '', 'is empty'),
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  score: z.number().nullish(),
})

function readPassage(passage: unknown, rank: number): z.output<typeof passageForm> {
  const [fault] = validationErrors(passageForm, passage, {})
  if (fault) throw new Error(`its passage number ${rank + 1}: ${fault.message}`)
  return passageForm.parse(passage)
}
