import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { unknownName } from '../../text/nearest.ts'
import { paragraphs, type Paragraph } from '../../text/paragraphs.ts'
import type { AcceptedAnswer, Document, Evidence, Question } from '../../types.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/shape.ts'

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
export async function readQuestions(
  file: string,
  documents: readonly Document[],
  bad: BadRecords,
): Promise<readonly Question[]> {
  const lookup = new Map(documents.map(({ id, text }) => [id, paragraphs(text).map(flattened)]))
  const lines = new Map<string, number>()
  const questions: Question[] = []
  const read = (line: number, value: unknown): Question => {
    const where = `${file}:${line}`
    const entry = shape(written, value, where, 'a question as datasets/sample/README.md describes it')
    const before = lines.get(entry.id)
    if (before !== undefined) throw new UserError(`${where}: the id "${entry.id}" is used by line ${before} already`)
    const question = toQuestion(entry, where, (place) => find(place, lookup, where))
    lines.set(entry.id, line)
    return question
  }
  for await (const { line, value } of jsonRecords(file, bad)) {
    const question = bad.attempt(() => read(line, value))
    if (question) questions.push(question)
  }
  // no clusters: a chain of shared documents connects nearly all questions, and one cluster has no error (our reading)
  return questions
}

function toQuestion(entry: Written, where: string, find: Find): Question {
  const common = { id: entry.id, text: entry.question, tags: entry.tags }
  const shared = entry.evidence.map(find)
  if (entry.kind === 'choice') {
    const { options, correct } = entry
    if (correct > options.length)
      throw new UserError(`${where}: "correct" is ${correct}, but the number of options is ${options.length}`)
    if (shared.length === 0) throw new UserError(`${where}: a question of kind choice needs evidence`)
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
    throw new UserError(`${where}: an unanswerable question cannot have evidence; write "evidence": []`)
  return { ...common, reference: { kind: 'answer', accepted }, evidence }
}

interface Flattened extends Paragraph {
  readonly line: string
}

const flattened = (paragraph: Paragraph): Flattened => ({ ...paragraph, line: oneLine(paragraph.text) })

/** The whole paragraph that begins with the words given; line breaks count as spaces. */
function find(
  { document, paragraph }: Place,
  lookup: ReadonlyMap<string, readonly Flattened[]>,
  where: string,
): Evidence {
  const known = lookup.get(document)
  if (!known) throw new UserError(`${where}: ${unknownName('document', document, [...lookup.keys()])}`)
  const wanted = oneLine(paragraph)
  const [found, second] = known.filter(({ line }) => line.startsWith(wanted))
  const begins = `begins ${JSON.stringify(paragraph)}`
  if (found === undefined)
    throw new UserError(`${where}: no paragraph of "${document}" ${begins}; copy its first words exactly`)
  if (second !== undefined)
    throw new UserError(`${where}: more than one paragraph of "${document}" ${begins}; copy more of its words`)
  return { documentId: document, text: found.text, start: found.start }
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

const distinct = (evidence: readonly Evidence[]): Evidence[] => [
  ...new Map(evidence.map((one) => [JSON.stringify([one.documentId, one.start]), one])).values(),
]
