import { z } from 'zod'
import { UserError } from '../errors.ts'
import { hashOf } from '../text/hash.ts'
import type { Dataset, Document, Question } from '../types.ts'
import { wholeText } from './files/cell-values.ts'
import { evidenceFinder, notesOnMissing } from './files/find-evidence.ts'
import { columnsOf, toQuestion } from './files/to-question.ts'
import { answerableOf, documentOf } from './shared/document-of-record.ts'

/** A document as a program writes it; `id` defaults to its number from 1. */
export interface PlainDocument {
  readonly id?: string | number
  readonly text: string
  readonly title?: string
}

type OneOrMore<T> = T | readonly T[]

/** A piece of evidence: words quoted from a document, the id of a document, or both. */
export type PlainEvidence = string | { readonly document?: string | number; readonly text?: string }

/**
 * A question as a program writes it. Without `answer`, `summary` and `options` no right answer is known. `correct`: the
 * number of the right option from 1, its letter or its words.
 */
export interface PlainQuestion {
  readonly id?: string | number
  readonly question: string
  readonly answer?: OneOrMore<string | number | boolean>
  readonly summary?: OneOrMore<string>
  readonly options?: readonly (string | number)[]
  readonly correct?: string | number
  readonly evidence?: OneOrMore<PlainEvidence>
  /** The document that holds the evidence. */
  readonly document?: OneOrMore<string | number>
  readonly tags?: OneOrMore<string>
  readonly cluster?: string | number
  /** The language model that drafted it. */
  readonly synthetic?: string
  /** Texts that the answer must contain, and texts that it must not, for the scorer `must-contain`. */
  readonly mustContain?: OneOrMore<string>
  readonly mustNotContain?: OneOrMore<string>
}

/** Documents that are searched together, and the questions asked of them. */
export interface PlainData {
  readonly documents: readonly PlainDocument[]
  readonly questions: readonly PlainQuestion[]
}

/** A dataset of arrays and a digest of it. Throws UserError naming the item; `where` is the value in messages. */
export function dataInMemory(
  data: { readonly [K in keyof PlainData]?: unknown },
  where: string,
): { readonly dataset: Dataset; readonly digest: string } {
  const documents = documentsOf(data.documents, `${where}.documents`)
  const questions = questionsOf(data.questions, documents, `${where}.questions`)
  const notes = notesOnMissing(questions, documents, (question) => `${where}.questions.${questions.indexOf(question)}`)
  return {
    digest: hashOf([documents, questions]),
    dataset: {
      name: 'documents',
      summary: 'Documents and questions of a program.',
      source: 'own data',
      licence: 'own data',
      options: z.strictObject({}),
      evidence: 'some',
      withoutAnswers: true,
      answers: 'by-reference',
      right: 'meaning',
      files: async () => [],
      async *corpora() {
        yield { id: 'documents', documents, questions, notes, ...answerableOf(questions) }
      },
    },
  }
}

const documentsOf = (list: unknown, where: string) =>
  listOf(list, where).map((value, index) => documentOf(value, String(index + 1), `${where}.${index}`))

function questionsOf(list: unknown, documents: readonly Document[], where: string): readonly Question[] {
  const columns = columnsOf({}, wholeText)
  const find = evidenceFinder(documents, (text) => [text])
  const questions = listOf(list, where).map((value, index) => {
    const at = `${where}.${index}`
    return toQuestion(columns.read(value, at), index + 1, at, find)
  })
  const [unread] = columns.unread()
  if (unread !== undefined) throw new UserError(`${where}: "${unread}" is no field of a question`)
  return questions
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new UserError(`${where}: expected a list of at least one item`)
}
