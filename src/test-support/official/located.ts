import type { Chunk, Corpus, Document, Evidence, Passage } from '../../types.ts'

/** Letters of one document. */
export interface Place extends Range {
  readonly document: string
}

/** A document, read again from the dataset, and its paragraphs. */
interface Read extends Letters {
  readonly text: string
  readonly paragraphs: readonly (Range & { readonly text: string })[]
}

/** Finds passages, chunks and evidence in the documents of one corpus by their words, not by recorded places. */
export interface Locator {
  /** Where the words of a passage stand; undefined for a summary, facts, or a caption. */
  placesOf(passage: Passage): readonly Place[] | undefined
  /** The first place of evidence, or the one that the dataset names; undefined where it is not in the text. */
  placeOf(evidence: Evidence): Place | undefined
  chunkPlace(id: string): Place
  documentsOf(passage: Passage): ReadonlySet<string>
  /** The paragraphs of a document of which a place holds at least a letter or digit. */
  paragraphsAt(place: Place): readonly string[]
}

/** Whether places have a letter or digit in common. */
export const meet = (...places: readonly Place[]): boolean =>
  places.every(({ document }) => document === places[0]?.document) &&
  Math.max(...places.map(({ from }) => from)) < Math.min(...places.map(({ to }) => to))

export function locatorOf({ documents }: Pick<Corpus, 'documents'>, chunks: readonly Chunk[]): Locator {
  const read = new Map(documents.map((document) => [document.id, readAgain(document)]))
  const placeOfSpan = (document: string, start: number, end: number): Place => ({
    document,
    ...read.get(document)!.range(start, end),
  })
  const places = new Map(
    chunks.map(({ id, documentId, start, end }) => [id, placeOfSpan(documentId, start, end)] as const),
  )
  const chunkPlace = (id: string): Place => {
    const place = places.get(id)
    if (!place) throw new Error(`a passage was made of the chunk "${id}", which the documents do not have`)
    return place
  }
  const lettersAt = ({ document, from, to }: Place): string => read.get(document)!.letters.slice(from, to)

  /** All places of the words in some documents. */
  const search = (words: string, within: Iterable<string>): Place[] =>
    Array.from(within).flatMap((document) =>
      Array.from(occurrences(words, read.get(document)!.letters), (range) => ({ document, ...range })),
    )
  const find = (text: string, from: readonly string[]): readonly Place[] | undefined => {
    const words = lettersIn(text).letters
    if (words === '') return []
    if (from.length === 0) return search(words, read.keys()).slice(0, 1)
    const sources = from.map(chunkPlace)
    // the words of several chunks, where these read alike
    const alike = sources.filter((place) => lettersAt(place) === words)
    if (alike.length > 0) return alike
    const matches = search(words, new Set(sources.map(({ document }) => document)))
    const inside = matches.filter((place) => isCovered(place, sources))
    if (matches.length > 0) return [mostTouching(inside.length > 0 ? inside : matches, sources)]
    // words set around whole chunks, such as a title
    const enclosing = sources.filter((place) => place.to > place.from && words.includes(lettersAt(place)))
    return enclosing.length > 0 ? enclosing : undefined
  }
  const cache = new Map<string, readonly Place[] | undefined>()
  return {
    chunkPlace,
    placesOf({ kind, text, from }) {
      if (kind !== 'chunk') return undefined
      const key = `${from.join(' ')}\n${text}`
      if (!cache.has(key)) cache.set(key, find(text, from))
      return cache.get(key)
    },
    placeOf({ documentId, text, start }) {
      const whole = read.get(documentId)?.text
      if (whole === undefined) return undefined
      if (text === undefined) return placeOfSpan(documentId, 0, whole.length)
      const at = start !== undefined && whole.slice(start, start + text.length) === text ? start : whole.indexOf(text)
      return at < 0 ? undefined : placeOfSpan(documentId, at, at + text.length)
    },
    documentsOf: ({ from }) => new Set(from.map((id) => chunkPlace(id).document)),
    paragraphsAt: (place) =>
      read
        .get(place.document)!
        .paragraphs.filter((paragraph) => meet(place, { document: place.document, ...paragraph }))
        .map(({ text }) => text),
  }
}

/** What stands between blank lines, without the white space around it. */
function readAgain({ text }: Document): Read {
  const letters = lettersIn(text)
  const paragraphs: (Range & { text: string })[] = []
  let start = 0
  for (const part of text.split(/(\n[^\S\n]*\n)/)) {
    if (part.trim() !== '') paragraphs.push({ text: part.trim(), ...letters.range(start, start + part.length) })
    start += part.length
  }
  return { ...letters, text, paragraphs }
}

/** Whether every letter of a place is one of the chunks'. */
function isCovered(place: Place, chunks: readonly Place[]): boolean {
  let end = place.from
  const sameDocument = chunks.filter(({ document }) => document === place.document).sort((a, b) => a.from - b.from)
  for (const { from, to } of sameDocument) if (from <= end) end = Math.max(end, to)
  return end >= place.to
}

/** The place that shares letters with most chunks, the first of equals. */
function mostTouching(matches: readonly Place[], chunks: readonly Place[]): Place {
  const touchCount = (place: Place): number => chunks.filter((chunk) => meet(place, chunk)).length
  return matches.reduce((best, place) => (touchCount(place) > touchCount(best) ? place : best))
}

/** A text by its letters and digits alone. */
interface Letters {
  readonly letters: string
  /** The letters that stand between two offsets of the text, the end excluded. */
  range(start: number, end: number): Range
}

/** Letters of one text, counted from 0; the end is excluded. */
interface Range {
  readonly from: number
  readonly to: number
}

/** The letters and digits of a text, and where in it they stand. */
function lettersIn(text: string): Letters {
  const offsets: number[] = []
  let letters = ''
  for (const { index, 0: run } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    letters += run
    for (let unit = 0; unit < run.length; unit++) offsets.push(index + unit)
  }
  const before = (offset: number): number => {
    let [low, high] = [0, offsets.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (offsets[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low
  }
  return { letters, range: (start, end) => ({ from: before(start), to: before(end) }) }
}

/** Every place where the letters stand in others. */
function* occurrences(pattern: string, letters: string): Generator<Range> {
  for (let at = letters.indexOf(pattern); at >= 0; at = letters.indexOf(pattern, at + 1))
    yield { from: at, to: at + pattern.length }
}
