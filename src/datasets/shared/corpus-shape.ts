import { z } from 'zod'
import { shapeFaults } from '../../text/shape-faults.ts'

/** The first place at which what a dataset yields is no corpus, and what belongs there; undefined where it is one. */
export function corpusFault(corpus: unknown): string | undefined {
  const [fault] = shapeFaults(corpusShape, corpus, advice)
  if (!fault) return undefined
  const [list, index] = fault.path
  const { id } = (corpus ?? {}) as { readonly id?: unknown }
  const place = typeof id === 'string' ? `corpus "${id}": ` : 'a corpus: '
  if ((list !== 'documents' && list !== 'questions') || typeof index !== 'number') return `${place}${fault.message}`
  const item = (corpus as Readonly<Record<typeof list, readonly unknown[]>>)[list][index]
  return `${place}${list === 'documents' ? 'document' : 'question'} ${nameOf(item, index)}: ${fault.message.replace(`"${list}[${index}].`, '"')}`
}

/** An item by its id, or by its number where it has none. */
function nameOf(item: unknown, index: number): string {
  const { id } = (item ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' ? `"${id}"` : `number ${index + 1}`
}

const text = z.string()
const texts = z.array(text)

const document = z.object({ id: text, text, title: text.optional() })

const evidence = z.array(z.object({ documentId: text, text: text.optional(), start: z.int().min(0).optional() }))

const accepted = z.object({
  text,
  type: z.enum(['extractive', 'abstractive', 'boolean', 'unanswerable']).optional(),
  evidence: evidence.optional(),
})

const reference = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('choice'), options: texts, correct: z.int().min(0) }),
  z.object({ kind: z.literal('answer'), accepted: z.array(accepted) }),
  z.object({ kind: z.literal('summary'), accepted: texts }),
  z.object({ kind: z.literal('turn'), accepted: text }),
])

const question = z.object({
  id: text,
  text,
  searchText: text.optional(),
  reference,
  evidence: evidence.optional(),
  cluster: text.optional(),
  tags: texts.optional(),
  history: z.array(z.object({ speaker: text, text })).optional(),
  roles: z.object({ asks: text, replies: text }).optional(),
  decomposition: z.array(z.object({ question: text, answer: text, documentId: text.optional() })).optional(),
  synthetic: text.optional(),
})

const corpusShape = z.object({
  id: text,
  documents: z.array(document),
  questions: z.array(question),
  holds: z.record(text, z.int().min(0)).optional(),
  leftOut: z.record(text, z.int().min(0)).optional(),
  firstBadRecord: text.optional(),
  notes: texts.optional(),
})

const advice = {
  id: 'give a text',
  documents: "give a list of documents, such as [{ id: 'a', text: 'Words.' }]",
  'documents.id': 'give a text that no other document of the corpus has',
  'documents.text': 'give the words of the document',
  'documents.title': 'give a text, or leave it out',
  questions: "give a list of questions, such as [{ id: '1', text: 'Who?', reference }]",
  'questions.id': 'give a text that no other question of the dataset has',
  'questions.text': 'give the words of the question',
  'questions.searchText': 'give the words to search by, or leave it out',
  'questions.reference': "give what is right, such as { kind: 'answer', accepted: [{ text: 'Ada' }] }",
  'questions.reference.kind': "give 'choice', 'answer', 'summary' or 'turn'",
  'questions.reference.options': "give a list of texts, such as ['To Orrin', 'To Lisk']",
  'questions.reference.correct': 'give the index of the right option, a whole number counted from 0',
  'questions.reference.accepted':
    "give a list of { text } for an answer, such as [{ text: 'Ada' }], a list of texts for a summary, a text for a turn",
  'questions.reference.accepted.type': "give 'extractive', 'abstractive', 'boolean' or 'unanswerable', or leave it out",
  'questions.reference.accepted.evidence': 'give a list of { documentId, text }, or leave it out',
  'questions.evidence': "give a list of { documentId, text }, such as [{ documentId: 'a', text: 'Words.' }]",
  'questions.evidence.start':
    'give where the text starts in the document, a whole number counted from 0, or leave it out',
  'questions.cluster': 'give a text that the questions about one text share, or leave it out',
  'questions.tags': "give a list of texts, such as ['hard']",
  'questions.history': 'give a list of { speaker, text }',
  'questions.roles': 'give { asks, replies }, two names of speakers, or leave it out',
  'questions.decomposition': 'give a list of { question, answer, documentId }',
  'questions.synthetic': 'give the name of the model that drafted the question, or leave it out',
  firstBadRecord: 'give a text, or leave it out',
  notes: 'give a list of texts, or leave it out',
  holds: "give counts, such as { 'conversation files': 3 }",
  leftOut: "give counts, such as { 'rows that repeat a question': 3 }",
}
