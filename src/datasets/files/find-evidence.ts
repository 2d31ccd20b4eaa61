import { basename } from 'node:path'
import { itemAt } from '../../basics/collections.ts'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { listing } from '../../text/amounts.ts'
import { occurrences, oneLine } from '../../text/characters.ts'
import { nearest } from '../../text/names.ts'
import type { Span } from '../../text/tokens.ts'
import type { Document, Evidence, Question } from '../../types.ts'
import { placesOf } from '../shared/answer-span.ts'
import { evidenceAt } from '../shared/document-of-record.ts'

/** Words quoted from one of these documents, or from any where none is named; without words, whole documents. */
export interface Quoted {
  readonly text?: string
  readonly documents: readonly string[]
}

/**
 * Finds quoted evidence: word for word, else folded, else in the parts of `split`; else it is `missing`. Throws
 * UserError where words stand in several documents and none is named, or in several places of one.
 */
export function evidenceFinder(
  documents: readonly Document[],
  split: (text: string) => readonly string[],
): (quotation: Quoted, where: string) => readonly Evidence[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const documentOf = (id: string) => {
    const path = id.normalize('NFC').replace(/^\.\//, '')
    return byId.get(id) ?? byId.get(path)
  }
  const lineOf = memoiseWeakly(({ text }: Document) => oneLine(text))
  const foldedTextOf = memoiseWeakly(({ text }: Document) => foldedText(text))
  const placeFinderOf = memoiseWeakly(({ text }: Document) => foldedPlaces(text))
  const holdersOf = (text: string, among: readonly Document[]): ReadonlyMap<Document, readonly Span[]> => {
    const line = oneLine(text)
    const exact = among.filter((document) => document.text.includes(text))
    const close = exact.length > 0 ? exact : among.filter((document) => lineOf(document).includes(line))
    if (close.length > 0) return new Map(close.map((document) => [document, placesOf(text, document.text)]))
    const foldedQuote = foldedText(line)
    const holders = among.filter((document) => foldedTextOf(document).includes(foldedQuote))
    const places = holders.map((document) => [document, placeFinderOf(document)(line)] as const)
    return new Map(places.filter(([, { length }]) => length > 0))
  }
  const find = ({ text, documents: ids }: Quoted, where: string): readonly Evidence[] => {
    const absent = ids
      .filter((id) => !documentOf(id))
      .map((documentId): Evidence => ({ documentId, ...(text !== undefined && { text }), missing: true }))
    const among = ids.flatMap((id) => documentOf(id) ?? [])
    if (text === undefined) return [...among.map(({ id }) => ({ documentId: id })), ...absent]
    if (ids.length === 0 && byId.has(text)) return [{ documentId: text }]
    const holders = holdersOf(text, ids.length > 0 ? among : documents)
    const parts = split(text)
    if (holders.size === 0 && parts.length > 1)
      return parts.flatMap((part) => find({ text: part, documents: ids }, where))
    if (holders.size === 0) return [{ documentId: among[0]?.id ?? ids[0] ?? '', text, missing: true }]
    const holderIds = Array.from(holders.keys(), ({ id }) => id)
    if (holders.size > 1 && ids.length === 0)
      throw new UserError(
        `${where}: the evidence ${quote(text)} occurs in ${holders.size} documents (${listing(holderIds)}); name one with "document"`,
      )
    const evidence = Array.from(holders, ([document, [span, second]]): readonly Evidence[] => {
      if (second)
        throw new UserError(
          `${where}: the evidence ${quote(text)} occurs several times in ${document.id}; quote more of it`,
        )
      return span ? [evidenceAt(document, span)] : []
    })
    return [...evidence.flat(), ...absent]
  }
  return find
}

/** A note on missing evidence: the count, the first three places, and what to do. */
export function notesOnMissing(
  questions: readonly Question[],
  documents: readonly Document[],
  placeOf: (question: Question) => string,
): readonly string[] {
  const missing = questions.flatMap((question) => {
    const piece = question.evidence?.find((candidate) => candidate.missing)
    return piece ? [`${basename(placeOf(question))} ${missingWords(piece, documents)}`] : []
  })
  if (missing.length === 0) return []
  const count = questions.length === 1 ? '1 question' : `${missing.length} of ${questions.length} questions`
  return [
    `no retrieval score for ${count}: the evidence is not in the documents (${missing.slice(0, mostExamples).join(', ')}${missing.length > mostExamples ? ', …' : ''}); copy its words exactly`,
  ]
}

const mostExamples = 3

function missingWords({ documentId, text }: Evidence, documents: readonly Document[]) {
  const ids = documents.map(({ id }) => id)
  if (text !== undefined && (documentId === '' || ids.includes(documentId))) return quote(text)
  const near = nearest(documentId, ids)
  const advice = near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`
  return `no document ${JSON.stringify(documentId)}${advice}`
}

function quote(text: string) {
  const line = oneLine(text)
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 59)}…` : line)
}

/**
 * A text with one kind of quotes, dashes and white space, compatibility forms taken apart, and without invisible
 * characters. Case, superscripts and fractions stay: 10⁶ is not 106.
 */
export const foldedText = (text: string): string => foldedCharacters(text).replace(/\s+/g, ' ')

/** Finds all non-overlapping places of words in a text, both folded. */
export function foldedPlaces(text: string): (words: string) => readonly Span[] {
  const units: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const { index, 0: character } of text.matchAll(wholeCharacters)) {
    const plainText = /^[\w,.]$/.test(character) ? character : foldedCharacters(character).replace(/\s/g, ' ')
    for (const unit of plainText.split('')) {
      if (unit === ' ' && units.at(-1) === ' ') continue
      units.push(unit)
      starts.push(index)
      ends.push(index + character.length)
    }
  }
  const joinedUnits = units.join('')
  /** Whether two units are parts of one character. */
  const isInside = (unit: number) => starts[unit - 1] === starts[unit] && unit < starts.length
  return (words) => {
    const pattern = foldedText(words).trim()
    return occurrences(joinedUnits, pattern)
      .filter((at) => !isInside(at) && !isInside(at + pattern.length))
      .map((at) => ({ start: itemAt(starts, at), end: itemAt(ends, at + pattern.length - 1) }))
  }
}

/** A character with its combining marks, or a Hangul syllable of conjoining letters. */
const wholeCharacters = /\P{M}?[\p{M}\u1160-\u11ff]*/gu

const foldedCharacters = (text: string) =>
  text
    .replace(/[‘’‚‛‹›′‵´`ʹʼ]/g, "'")
    .replace(/[“”„‟«»″‶〝〞〟]/g, '"')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\p{No}]+/gu, (run) => run.normalize('NFKD'))
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
