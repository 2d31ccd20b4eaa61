import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'

/** The type of what was read from JSON: read-only, and what is optional is absent, never undefined. */
export type FromJson<T> = unknown extends T ? T : { readonly [K in keyof T]: FromJson<Exclude<T[K], undefined>> }

export const text = z.string()
export const texts = z.array(text)
export const number = z.number()
export const count = z.int().min(0)
export const counts = z.record(text, count)
export const anyObject = z.record(text, z.unknown())

/** Options of a plug-in: an object, whose type only the plug-in knows. */
export const options: ZodType = anyObject

/** Flat facts that a method states about its index or a passage. */
export type FlatData = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

/** Only checked to be an object, since plug-ins may nest it. */
export const flatData = z.custom<FlatData>(isObject, 'must be an object')

/** A field that is set when results are read and is in no file. */
export const neverInFile = <T>() => z.custom<T>(() => false, 'must not be in the file').optional()

const rowFields = { method: text, variant: text }
export const row = z.object(rowFields)

/** A row of a table: one method with one set of options. `variant` is empty unless the options were varied. */
export type Row = FromJson<z.infer<typeof row>>

/** `methodId`: the `id` of the method's record in the manifest. */
export const byMethod = { ...rowFields, methodId: text }

export const phase = z.enum(['index', 'retrieve', 'answer', 'judge'])

/** Where tokens are used. A paper's "index" column is `index`, its "query" column `retrieve` + `answer`. */
export type Phase = z.infer<typeof phase>

export const failure = z.object({
  phase,
  kind: text,
  message: text,
  /** The reply, cut to a few thousand characters. */
  raw: text.optional(),
})

/** A failed call or method: counted, never scored. */
export type Failure = FromJson<z.infer<typeof failure>>

export const variedValues = z.array(z.object({ option: text, text }))

/** An option of a method, or a key of the config, that `vary` names, and its value as tables show it. */
export type VariedValue = FromJson<z.infer<typeof variedValues>>[number]

export const answerStyles = ['short', 'span', 'sentence', 'reasoned'] as const

/**
 * `short`: a span, yes, no or unanswerable (Qasper); `span`: without unanswerable; `sentence`: one whole sentence;
 * `reasoned`: thoughts, which are no part of the answer, then "Answer:" and a span (HippoRAG 2's reader).
 */
export type AnswerStyle = (typeof answerStyles)[number]

export const answerRequests = [...answerStyles, 'by-reference', 'span-by-reference', 'none'] as const

/** One for all, or by the reference: short, or span (`span-by-reference`), up to six words, else a sentence. */
export type AnswersWanted = (typeof answerRequests)[number]

/** Chunking strategies. */
export const cutBy = ['tokens', 'sentences', 'paragraphs', 'headings', 'recursive', 'semantic', 'none'] as const
export type CutBy = (typeof cutBy)[number]
