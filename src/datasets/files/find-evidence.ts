import { memoiseWeakly } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { nearest } from '../../text/names.ts'
import type { Document, Evidence } from '../../types.ts'
import { placesOf } from '../shared/answer-span.ts'

/** Words that stand in a document, in any of several, or in any at all; without words, the whole documents. */
export interface Quoted {
  readonly text?: string
  readonly documents: readonly string[]
}

/**
 * Finds what evidence quotes: word for word, or else with any white space for any other, or else in the parts that
 * `split` makes of it. Throws UserError where a document is not there, and where the words stand in none, in several of
 * which none is named, or in several places of one. `gone` is told of each error that says that a document or the words
 * are not there.
 */
export function evidenceFinder(
  documents: readonly Document[],
  split: (text: string) => readonly string[],
  gone: (error: UserError) => void = () => undefined,
): (quoted: Quoted, where: string) => readonly Evidence[] {
  const lost = (message: string): UserError => {
    const error = new UserError(message)
    gone(error)
    return error
  }
  const byId = new Map(documents.map((document) => [document.id, document]))
  const spaced = memoiseWeakly(({ text }: Document) => oneLine(text))
  const named = (id: string, where: string): Document => {
    const found = byId.get(id) ?? byId.get(id.normalize('NFC').replace(/^\.\//, ''))
    if (found) return found
    const near = nearest(id, byId.keys())
    throw lost(
      `${where}: no document "${id}"${near === undefined ? '' : `; did you mean "${near}"?`} (${documents.length === 1 ? '1 document was' : `${documents.length} documents were`} read)`,
    )
  }
  const holdersOf = (text: string, among: readonly Document[]): readonly Document[] => {
    const exact = among.filter((document) => document.text.includes(text))
    const wanted = oneLine(text)
    return exact.length > 0 ? exact : among.filter((document) => spaced(document).includes(wanted))
  }
  const find = ({ text, documents: ids }: Quoted, where: string): readonly Evidence[] => {
    const among = ids.map((id) => named(id, where))
    if (text === undefined) return among.map(({ id }) => ({ documentId: id }))
    if (ids.length === 0 && byId.has(text)) return [{ documentId: text }]
    const holders = holdersOf(text, ids.length > 0 ? among : documents)
    const parts = split(text)
    if (holders.length === 0 && parts.length > 1)
      return parts.flatMap((part) => find({ text: part, documents: ids }, where))
    if (holders.length === 0)
      throw lost(
        `${where}: ${ids.length > 0 ? `the evidence ${quote(text)} does not stand in ${ids.join(', ')}` : `no document holds the evidence ${quote(text)}`}; copy its words exactly`,
      )
    if (holders.length > 1 && ids.length === 0) throw inSeveral(text, holders, where)
    return holders.flatMap((document) => {
      const { id } = document
      const [span, another] = placesOf(text, document.text)
      if (another)
        throw new UserError(`${where}: the evidence ${quote(text)} stands in several places of ${id}; quote more of it`)
      return span ? [{ documentId: id, text: document.text.slice(span.start, span.end), start: span.start }] : []
    })
  }
  return find
}

function inSeveral(text: string, holders: readonly Document[], where: string): UserError {
  const named = holders.slice(0, 3).map(({ id }) => id)
  return new UserError(
    `${where}: the evidence ${quote(text)} stands in ${holders.length} documents (${named.join(', ')}${holders.length > 3 ? ', …' : ''}); name one with "document"`,
  )
}

/** The words as a message quotes them: on one line, and no more than 60 signs. */
function quote(text: string): string {
  const line = oneLine(text)
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 59)}…` : line)
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')
