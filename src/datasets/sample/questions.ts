import { z } from 'zod'
import { UserError } from '../errors.ts'
import { unknownName } from '../text/nearest.ts'
import { paragraphs } from '../text/paragraphs.ts'
import type { AcceptedAnswer, Document, Evidence, Question } from '../types.ts'
import { jsonRecords } from './json-records.ts'
import { shape, words } from './shape.ts'

const places = z.array(z.strictObject({ document: words, paragraph: words }))
const common = { id: words, question: words, evidence: places, tags: z.array(words).default([]) }
const written = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('choice'), options: z.array(words).min(2), correct: z.int().positive() }),
  z.strictObject({
    ...common,
    kind: z.literal('answer'),
    accepted: z
      .array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.enum(['extractive', 'abstractive']), text: words, evidence: places.optional() }),
          z.strictObject({ type: z.literal('boolean'), text: z.enum(['Yes', 'No']), evidence: places.optional() }),
          z.strictObject({ type: z.literal('unanswerable'), text: z.literal('Unanswerable') }),
        ]),
      )
      .min(1),
  }),
])
type Written = z.infer<typeof written>
type Place = z.infer<typeof places>[number]
type Find = (place: Place) => Evidence

/**
 * The questions of a file of JSON objects, their evidence found in the documents. An annotator without evidence of its own stands on the
 * question's; the question's is the union of all. Throws UserError naming file and line of what is malformed or cannot be found.
 */
export async function readQuestions(file: string, documents: readonly Document[]): Promise<Question[]> {
  const lookup = new Map(documents.map(({ id, text }) => [id, paragraphs(text).map((paragraph) => paragraph.text)]))
  const lines = new Map<string, number>()
  const questions: Question[] = []
  for await (const { line, value } of jsonRecords(file)) {
    const where = `${file}:${line}`
    const entry = shape(written, value, where, 'a question as datasets/sample/README.md describes it')
    const before = lines.get(entry.id)
    if (before !== undefined) throw new UserError(`${where}: the id "${entry.id}" is taken by line ${before}`)
    lines.set(entry.id, line)
    questions.push(toQuestion(entry, where, (place) => find(place, lookup, where)))
  }
  return questions
}

function toQuestion(entry: Written, where: string, find: Find): Question {
  const common = { id: entry.id, text: entry.question, tags: entry.tags }
  const shared = entry.evidence.map(find)
  if (entry.kind === 'choice') {
    const { options, correct } = entry
    if (correct > options.length) throw new UserError(`${where}: "correct" is ${correct} of ${options.length} options`)
    if (shared.length === 0) throw new UserError(`${where}: a choice needs evidence`)
    return { ...common, reference: { kind: 'choice', options, correct: correct - 1 }, evidence: shared }
  }
  const accepted = entry.accepted.map((answer): AcceptedAnswer => {
    if (answer.type === 'unanswerable') return { ...answer, evidence: [] }
    const evidence = answer.evidence?.map(find) ?? shared
    if (evidence.length === 0) throw new UserError(`${where}: the answer "${answer.text}" needs evidence`)
    return { ...answer, evidence }
  })
  const evidence = distinct([...shared, ...accepted.flatMap((answer) => answer.evidence ?? [])])
  if (evidence.length > 0 && accepted.every(({ type }) => type === 'unanswerable'))
    throw new UserError(`${where}: an unanswerable question has no evidence; write "evidence": []`)
  return { ...common, reference: { kind: 'answer', accepted }, evidence }
}

/** The whole paragraph that begins with the words given; line breaks count as spaces. */
function find({ document, paragraph }: Place, lookup: ReadonlyMap<string, readonly string[]>, where: string): Evidence {
  const known = lookup.get(document)
  if (!known) throw new UserError(`${where}: ${unknownName('document', document, [...lookup.keys()])}`)
  const [text, second] = known.filter((one) => oneLine(one).startsWith(oneLine(paragraph)))
  const begins = `begins ${JSON.stringify(paragraph)}`
  if (text === undefined)
    throw new UserError(`${where}: no paragraph of "${document}" ${begins}; copy its first words exactly`)
  if (second !== undefined)
    throw new UserError(`${where}: more than one paragraph of "${document}" ${begins}; copy more of its words`)
  return { documentId: document, text }
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

const distinct = (evidence: readonly Evidence[]): Evidence[] => [
  ...new Map(evidence.map((one) => [JSON.stringify([one.documentId, one.text]), one])).values(),
]
