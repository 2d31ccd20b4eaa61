import { existsSync } from 'node:fs'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import { verdictIn } from '../text/verdict.ts'
import type { Labelled, LabelledAnswerText, LabelledClaims, LabelledPair } from '../types.ts'
import { badRecords } from './bad-records.ts'
import { csvRows } from './csv-rows.ts'
import { recordsOf, shape, words } from './records.ts'
import { wholeText } from './text-file.ts'

/** What a record of a labelled answer holds, and the names that it may have where none is given. */
const labelledColumns = {
  question: ['question', 'query'],
  context: ['context', 'documents'],
  answer: ['answer', 'response'],
  reference: ['reference', 'gt_answer'],
  label: ['label', 'adherence_score'],
} as const

export type LabelledColumn = keyof typeof labelledColumns

export const labelledColumnNames = Object.keys(labelledColumns) as readonly LabelledColumn[]

type Columns = Readonly<Partial<Record<LabelledColumn, string>>>
type Fields = Readonly<Record<string, unknown>>

interface Placed {
  readonly where: string
  readonly value: Fields
}

/**
 * Reads texts with labels of people: RAGChecker's pairs, RefChecker's triplets with contexts joined, or answers, one a
 * row of CSV or a record of JSON or Parquet (RAGBench's as published). `blank`: records without a label, left out;
 * `by`: models that gave the labels. Throws UserError naming file and line.
 */
export async function readLabelled(file: string, columns: Columns) {
  const placed: Placed[] = []
  if (!existsSync(file)) throw new UserError(`cannot read ${file}: there is no such file`)
  for await (const record of placedIn(file)) placed.push(record)
  const [first] = placed
  if (!first) throw new UserError(`${file}: has no record`)
  const labelled =
    'model1' in first.value && 'model2' in first.value
      ? pairsOf(placed, columns.label ?? 'overall_label')
      : tripletsKey(first.value) === undefined
        ? answersOf(placed, columns)
        : claimsOf(placed, columns)
  const by = placed.flatMap(({ value: { annotating_model_name: model } }) => (typeof model === 'string' ? [model] : []))
  const blank = labelled.kind === 'answers' ? placed.length - labelled.items.length : 0
  return { labelled, blank, by: [...new Set(by)].sort() }
}

async function* placedIn(file: string): AsyncGenerator<Placed> {
  if (/\.[ct]sv$/i.test(file)) {
    const text = await wholeText(file)
    for await (const { line, value } of csvRows(file, text)) yield { where: `${file}:${line}`, value }
  } else
    for await (const record of recordsOf(file, z.record(z.string(), z.unknown()), 'an object', badRecords('stop')))
      yield record
}

const pairForm = 'a pair of RAGChecker (instance_id, query, gt_answer, model1, model2 and labels)'

const pairRecord = z.object({
  instance_id: z.union([z.int(), z.string()]),
  query: words,
  gt_answer: z.string(),
  model1: z.object({ response: z.string() }),
  model2: z.object({ response: z.string() }),
})

/** Records of one pair, one of each annotator, become one. */
function pairsOf(placed: readonly Placed[], column: string): Labelled {
  const pairs = new Map<string, LabelledPair>()
  for (const { where, value } of placed) {
    const { instance_id, query, gt_answer, model1, model2 } = shape(pairRecord, value, where, pairForm)
    const label = labelOf(value, column, where)
    if (label === undefined) continue
    const known = pairs.get(String(instance_id))
    if (known && (known.first !== model1.response || known.second !== model2.response))
      throw new UserError(`${where}: the pair ${instance_id} has other answers than at ${known.where}`)
    pairs.set(String(instance_id), {
      ...{ where: known?.where ?? where, cluster: query, question: query, reference: gt_answer },
      ...{ first: model1.response, second: model2.response, labels: [...(known?.labels ?? []), label] },
    })
  }
  return { kind: 'pairs', items: [...pairs.values()] }
}

const tripletsKey = (record: Fields): string | undefined =>
  Object.keys(record).find((key) => key.endsWith('_response_kg'))

const tripletRecord = z.array(
  z.object({
    triplet: z.array(z.string()).min(1),
    human_label: z.enum(['Entailment', 'Neutral', 'Contradiction']),
  }),
)

/** Answers without triplets are left out: there is nothing to judge. */
function claimsOf(placed: readonly Placed[], columns: Columns): Labelled {
  const items = placed.flatMap(({ where, value }, number): readonly LabelledClaims[] => {
    const key = tripletsKey(value) ?? ''
    const form = 'an answer of RefChecker ({ triplet, human_label } in a list)'
    const triplets = shape(tripletRecord, value[key], where, form, [key])
    const context = contextOf(value, columns, where)
    if (context === undefined)
      throw new UserError(
        `${where}: has no "context", which the files of RefChecker lack: add to each answer the text, or list of texts, that its triplets were checked against (by its id in NQ, MS MARCO or Dolly)`,
      )
    const claims = triplets.map(({ triplet, human_label }) => ({
      ...{ text: triplet.join(' '), label: human_label === 'Entailment' ? (1 as const) : (0 as const) },
    }))
    return claims.length === 0 ? [] : [{ where, cluster: String(number), context, claims }]
  })
  return { kind: 'claims', items }
}

function answersOf(placed: readonly Placed[], columns: Columns): Labelled {
  const items = placed.flatMap(({ where, value }): readonly LabelledAnswerText[] => {
    const [question, answer] = [textAt(value, 'question', columns, where), textAt(value, 'answer', columns, where)]
    const label = labelOf(value, nameOf(value, 'label', columns, where) ?? missing(value, 'label', where), where)
    if (label === undefined) return []
    const context = contextOf(value, columns, where)
    const reference = nameOf(value, 'reference', columns, where)
    return [
      {
        ...{ where, cluster: question, question, answer, label },
        ...(context && { context }),
        ...(reference !== undefined && { reference: textAt(value, 'reference', columns, where) }),
      },
    ]
  })
  return { kind: 'answers', items }
}

/** The name that a column has in a record; undefined where it has none and none was given. */
function nameOf(value: Fields, column: LabelledColumn, columns: Columns, where: string): string | undefined {
  const given = columns[column]
  if (given === undefined) return labelledColumns[column].find((name) => name in value)
  if (given in value) return given
  throw new UserError(`${where}: ${unknownName('column', given, Object.keys(value))}`)
}

function missing(value: Fields, column: LabelledColumn, where: string): never {
  throw new UserError(
    `${where}: has no column "${column}"; name it with --columns ${column}=NAME (columns: ${Object.keys(value).join(', ')})`,
  )
}

function textAt(value: Fields, column: LabelledColumn, columns: Columns, where: string): string {
  const name = nameOf(value, column, columns, where) ?? missing(value, column, where)
  return shape(z.string(), value[name], where, 'a text', [name])
}

/** A text, or a list of texts, one a passage; blank ones are no passages. */
function contextOf(value: Fields, columns: Columns, where: string): readonly string[] | undefined {
  const name = nameOf(value, 'context', columns, where)
  if (name === undefined) return undefined
  const texts = shape(z.union([z.string(), z.array(z.string())]), value[name], where, 'a text or a list of texts', [
    name,
  ])
  return [texts].flat().filter((text) => text.trim() !== '')
}

/** Undefined where the cell is blank. */
function labelOf(value: Fields, column: string, where: string): number | undefined {
  if (!(column in value)) throw new UserError(`${where}: ${unknownName('column', column, Object.keys(value))}`)
  const cell = value[column]
  if (cell === null || cell === undefined || cell === '') return undefined
  const isPlain = typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
  const label = isPlain ? verdictIn(String(cell)) : undefined
  if (label !== undefined) return label
  throw new UserError(
    `${where}: ${column}: ${JSON.stringify(cell).slice(0, 60)} is no label; expected a number, or yes or no`,
  )
}
