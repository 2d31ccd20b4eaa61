import { z } from 'zod'
import { count, number, text, texts, type FromJson } from './parts.ts'

const evidence = z.object({
  documentId: text,
  text: text.optional(),
  /** UTF-16 offset of the words in the document's text, where known: the same words may stand there twice. */
  start: count.optional(),
  /** How relevant it was judged to be, above 0; absent: 1. */
  grade: number.optional(),
  /** No document holds it: `text` is as its record has it, `documentId` the document named there, else empty. */
  missing: z.literal(true).optional(),
})

/** A place that supports an answer: words quoted from a document, or the whole of it when no text is given. */
export type Evidence = FromJson<z.infer<typeof evidence>>

/** How an annotator answered (Qasper's four types). */
const answerType = z.enum(['extractive', 'abstractive', 'boolean', 'unanswerable'])

const acceptedAnswer = z.object({
  text,
  type: answerType.optional(),
  /** That annotator's own, where the dataset keeps it apart. */
  evidence: z.array(evidence).optional(),
})

/** One annotator's answer. */
export type AcceptedAnswer = FromJson<z.infer<typeof acceptedAnswer>>

const reference = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('choice'), options: texts, correct: count }),
  z.object({ kind: z.literal('answer'), accepted: z.array(acceptedAnswer) }),
  z.object({ kind: z.literal('summary'), accepted: texts }),
  z.object({ kind: z.literal('turn'), accepted: text }),
])

/** What is right. `correct` is a 0-based index into `options`. */
export type Reference = FromJson<z.infer<typeof reference>>

export type Kind = Reference['kind']

export const kind = z.enum(['choice', 'answer', 'summary', 'turn']) satisfies z.ZodType<Kind>

const turn = z.object({ speaker: text, text })

/** One utterance of a conversation that came before the question. */
export type Turn = FromJson<z.infer<typeof turn>>

const speakers = z.object({ asks: text, replies: text })

/** In a conversation: who says the text of the question, and whom the answerer plays, by their names as speakers. */
export type Roles = FromJson<z.infer<typeof speakers>>

const hop = z.object({ question: text, answer: text, documentId: text.optional() })

/** One step of a multi-hop question. `#1` stands for the answer of the first; `documentId`: what supports it. */
export type Hop = FromJson<z.infer<typeof hop>>

export const question = z.object({
  id: text,
  text,
  /** What methods are given as the text of the question, where they search by more than the answerer is asked. */
  searchText: text.optional(),
  reference,
  evidence: z.array(evidence).optional(),
  /** Documents that were judged not to be relevant, with their grades, 0 or less. */
  notRelevant: z.record(text, number).optional(),
  /** Relevant documents that the corpus lacks, with their grades: they count as not retrieved. */
  notInCorpus: z.record(text, number).optional(),
  /** Documents that are left out of its rankings: in BEIR the one that has the id of the query. */
  excludedIds: texts.optional(),
  tags: texts.optional(),
  /** Questions of one cluster share a text and are not independent: statistics take the cluster as the unit. */
  cluster: text.optional(),
  /** What was said before the text, in order. */
  history: z.array(turn).optional(),
  roles: speakers.optional(),
  decomposition: z.array(hop).optional(),
  /** Texts that a right answer contains, and texts that it must not contain. */
  mustContain: texts.optional(),
  mustNotContain: texts.optional(),
  /** The language model that drafted it from the documents; absent where a person wrote it. */
  synthetic: text.optional(),
})

/** `evidence`: absent where the dataset has none, empty where nothing supports an answer; `tags` become subsets. */
export type Question = FromJson<z.infer<typeof question>>
