import { z } from 'zod'
import type { Document, Hop, Question } from '../../types.ts'
import { documentId } from '../shared/document-id.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/shape.ts'
import { unanswerable } from '../shared/unanswerable.ts'

const release = 'MuSiQue v1.0, train or dev (the test split carries no answers)'

const item = z.object({
  id: words,
  question: words,
  paragraphs: z.array(
    z.object({ idx: z.int(), title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() }),
  ),
  question_decomposition: z.array(
    z.object({ question: z.string(), answer: z.string(), paragraph_support_idx: z.int().nullable() }),
  ),
  answer: words,
  answer_aliases: z.array(z.string()),
  answerable: z.boolean().default(true),
})
type Item = z.output<typeof item>

/** A question with the paragraphs that it came with; `supporting` are those that it needs, in the order of its hops. */
export interface MusiqueItem {
  readonly question: Question
  readonly paragraphs: readonly Document[]
  readonly supporting: readonly Document[]
  readonly answerable: boolean
}

/** The questions of a file, one a line (official) or in an array (HippoRAG). Throws UserError naming file, line and field of what is malformed. */
export async function* musiqueItems(file: string, bad: BadRecords): AsyncGenerator<MusiqueItem> {
  for await (const { line, value } of jsonRecords(file, bad)) {
    const read = bad.attempt(() => toItem(shape(item, value, `${file}:${line}`, release)))
    if (read) yield read
  }
}

/** A paragraph as a document: its title, a line break, its text, and an id made of both, for titles are not unique. */
export function passage(title: string, paragraph: string): Document {
  const text = `${title}\n${paragraph}`
  return { id: documentId(text), text, title }
}

function toItem(read: Item): MusiqueItem {
  const paragraphs = read.paragraphs.map((one) => passage(one.title, one.paragraph_text))
  const byIndex = new Map(read.paragraphs.map(({ idx }, at) => [idx, paragraphs[at]]))
  const hops = read.question_decomposition.map(({ question, answer, paragraph_support_idx }): Hop => {
    const support = paragraph_support_idx === null ? undefined : byIndex.get(paragraph_support_idx)
    return { question, answer, ...(support && { documentId: support.id }) }
  })
  const marked = paragraphs.filter((_, at) => read.paragraphs[at]?.is_supporting)
  const needed = new Set([...hops.flatMap((hop) => hop.documentId ?? []), ...marked.map(({ id }) => id)])
  const byId = new Map(paragraphs.map((one) => [one.id, one]))
  const supporting = [...needed].flatMap((id) => byId.get(id) ?? [])
  return { question: toQuestion(read, hops, supporting), paragraphs, supporting, answerable: read.answerable }
}

function toQuestion(read: Item, decomposition: readonly Hop[], supporting: readonly Document[]): Question {
  // the type of the question: 2hop, 3hop1, 3hop2, 4hop1, …
  const hops = /^\dhop\d?(?=__)/.exec(read.id)?.[0]
  const tags = hops === undefined ? [] : [hops]
  const common = { text: read.question.trim(), decomposition }
  // an unanswerable question is the counterpart of an answerable one and shares its id
  if (!read.answerable)
    return { ...common, ...unanswerable, id: `${read.id}#unanswerable`, tags: [...tags, 'unanswerable'] }
  const accepted = [...new Set([read.answer, ...read.answer_aliases].map((answer) => answer.trim()))]
  return {
    ...common,
    id: read.id,
    reference: { kind: 'answer', accepted: accepted.filter((text) => text !== '').map((text) => ({ text })) },
    evidence: supporting.map(({ id }) => ({ documentId: id })),
    tags,
  }
}
