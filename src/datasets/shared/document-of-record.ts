import { isObject } from '../../basics/plain-data.ts'
import { UserError } from '../../errors.ts'
import { md5 } from '../../text/hash.ts'
import { checkId } from '../../text/check-id.ts'
import type { Span } from '../../text/tokens.ts'
import type { AcceptedAnswer, Corpus, Document, Evidence, Question } from '../../types.ts'

/** The document of a record with `text`, perhaps `title`, which is put before the text, and `id`. Throws UserError. */
export function documentOf(value: unknown, id: string, where: string): Document {
  if (!isObject(value)) throw new UserError(`${where}: expected an object with "text"`)
  const { text } = value
  if (typeof text !== 'string') throw new UserError(`${where}: "text" is ${text === undefined ? 'missing' : 'no text'}`)
  const idInRecord = checkId(shortText(value['id'] ?? value['_id'], 'id', where), 'id', where)
  const title = shortText(value['title'], 'title', where)
  const document = { id: idInRecord === '' ? id : idInRecord, text }
  if (title === '') return document
  return { ...document, title, text: beginsWithTitle(text, title) ? text : `${title}\n\n${text}`.trimEnd() }
}

/** Whether a text begins with a title that ends where a word does: "Art" is not the title of "Arterial …". */
const beginsWithTitle = (text: string, title: string) =>
  text.startsWith(title) && !/^[\p{L}\p{M}\p{N}]/u.test(text.slice(title.length))

function shortText(value: unknown, name: string, where: string) {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return digitsOf(value, name, where)
  if (typeof value === 'string') return value.trim()
  throw new UserError(`${where}: "${name}" must be a text`)
}

/** A number as a text. Throws UserError for one that may have had other digits when it was written. */
export function digitsOf(value: number, name: string, where: string): string {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return String(value)
  throw new UserError(`${where}: "${name}" is ${value}, a number that loses digits; write it as a text`)
}

/** The parts of a document as one text, a blank line between them, and the span of each part that is not empty. */
export function joinParts(parts: readonly string[]): {
  readonly text: string
  readonly spans: readonly (Span | undefined)[]
} {
  let text = ''
  const spans = parts.map((part) => {
    if (part === '') return undefined
    if (text !== '') text += '\n\n'
    text += part
    return { start: text.length - part.length, end: text.length }
  })
  return { text, spans }
}

/** The words of a document at a place, as evidence. */
export function evidenceAt({ id, text }: Document, { start, end }: Span): Evidence & { readonly start: number } {
  return { documentId: id, text: text.slice(start, end), start }
}

/** Gives an id back. Throws UserError, with both places, for one that was given before. */
export function uniqueIds(): (id: string, where: string) => string {
  const places = new Map<string, string>()
  return (id, where) => {
    const before = places.get(id)
    if (before !== undefined) throw new UserError(`${where}: the id ${JSON.stringify(id)} is used by ${before} already`)
    places.set(id, where)
    return id
  }
}

/** The id of a document without one: the first 16 hex digits of the MD5 of its text (SamsungLabs/UnWeaver). */
export const documentId = (text: string): string => md5(text).slice(0, 16)

/** A request for a summary, and all that count as right; requests about one text are of one cluster. */
export const summaryQuestion = (id: string, text: string, summaries: readonly string[], cluster = id): Question => ({
  id,
  text,
  cluster,
  reference: { kind: 'summary', accepted: summaries.map((summary) => summary.trim()) },
})

/** Marks a corpus whose questions all have an answer; a question without a reference may have none. */
export const answerableOf = (questions: readonly Pick<Question, 'reference'>[]): Pick<Corpus, 'answerable'> =>
  questions.every(({ reference }) => reference.kind !== 'answer' || hasAnswer(reference.accepted))
    ? { answerable: true }
    : {}

const hasAnswer = (answers: readonly AcceptedAnswer[]) =>
  answers.length > 0 && answers.every(({ type }) => type !== 'unanswerable')

/** The reference of a question that the documents do not answer (the official word of Qasper); it has no evidence. */
export const unanswerable = {
  reference: { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable', evidence: [] }] },
  evidence: [],
} as const satisfies Partial<Question>
