import { isObject } from '../../basics/plain-data.ts'
import { UserError } from '../../errors.ts'
import { malformedRecords } from '../../formats/malformed-records.ts'
import { csvRows } from '../../formats/csv-rows.ts'
import { quoteNumbers } from '../../formats/json-records.ts'
import { recordsOf } from '../../formats/records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { type Retrieved, trecOrder } from '../../math/trec-order.ts'
import { lines } from '../../text/jsonl.ts'
import { parseListLiteral } from '../../text/list-literal.ts'
import { describe } from '../../text/validation-errors.ts'
import { checkId } from '../../text/check-id.ts'
import { z } from 'zod'

/**
 * A passage by its text, or by name: the id of a chunk or a document, or a title. With a score it comes from a TREC
 * run, where every name is an id.
 */
export type RecordedPassage =
  { readonly text: string; readonly id?: string } | { readonly name: string; readonly score?: number }

/** The output of another system for one question; `where`: file and line. An empty answer is undefined. */
export interface RecordedOutput {
  readonly where: string
  readonly id?: string
  readonly question?: string
  readonly answer?: string
  readonly passages?: readonly RecordedPassage[]
}

/** Field names in the supported formats, in JSON and as CSV columns. */
const names = {
  id: ['id', '_id', 'question_id', 'query_id'],
  question: ['question', 'user_input', 'query', 'question_text', 'text'],
  answer: ['answer', 'response'],
  passages: ['contexts', 'retrieved_contexts', 'context', 'evidence', 'documents'],
} as const

/**
 * Reads recorded outputs: JSON lines or an array of objects (RAGAS: user_input, retrieved_contexts, response;
 * BenchmarkQED: question_id, question, answer, context; RAGBench: question, documents, response; fast-graphrag:
 * question, evidence as titles), CSV with these columns, or a TREC run. Throws UserError with file and line of
 * malformed records and duplicates.
 */
export async function readRecords(file: string): Promise<readonly RecordedOutput[]> {
  const read = file.endsWith('.csv') ? await csvRecords(file) : ((await trecRecords(file)) ?? (await jsonRecords(file)))
  if (read.length === 0) throw new UserError(`${file}: holds no record`)
  for (const part of ['id', 'question'] as const) {
    const firstPlaces = new Map<string, string>()
    for (const { where, [part]: key } of read) {
      const before = key === undefined ? undefined : firstPlaces.get(key)
      if (before !== undefined)
        throw new UserError(`${where}: the ${part} ${JSON.stringify(key)} is there already, at ${before}; keep one`)
      if (key !== undefined) firstPlaces.set(key, where)
    }
  }
  return read
}

async function jsonRecords(file: string): Promise<readonly RecordedOutput[]> {
  const read: RecordedOutput[] = []
  const schema = z.record(z.string(), z.unknown()).describe('objects, one for each question')
  const records = recordsOf(file, schema, malformedRecords('stop'), 'text')
  for await (const { value, where } of records) read.push(recordOf(value, where))
  return read
}

async function csvRecords(file: string): Promise<readonly RecordedOutput[]> {
  const read: RecordedOutput[] = []
  for await (const { line, value } of csvRows(file, await wholeText(file))) {
    const where = `${file}:${line}`
    const cells = Object.entries(value).map(([name, cell]) => [
      name,
      isOneOf(names.passages, name) ? listOf(cell, where, name) : cell,
    ])
    read.push(recordOf(Object.fromEntries(cells) as Readonly<Record<string, unknown>>, where))
  }
  return read
}

const isOneOf = (all: readonly string[], name: string): boolean => all.includes(name)

/** Reads a cell: a JSON list, a Python list of strings, or one passage. */
function listOf(cell: string, where: string, name: string): unknown {
  if (!cell.trimStart().startsWith('[')) return cell.trim() === '' ? [] : [cell]
  try {
    return JSON.parse(quoteNumbers(cell))
  } catch {
    const texts = parseListLiteral(cell.trim())
    if (texts) return texts
    throw new UserError(`${where}: the column "${name}" begins as a JSON list and is none; write ["...", "..."]`)
  }
}

/** The records of a TREC run, ranked as in trec_eval; undefined if the first line has another format. */
async function trecRecords(file: string): Promise<readonly RecordedOutput[] | undefined> {
  const runs = new Map<string, { readonly where: string; readonly documents: Retrieved[] }>()
  for await (const { line, text } of lines(file)) {
    const [query, , id, rank, scoreText, ...tag] = text.trim().split(/\s+/)
    // trec_eval reads scores as 32-bit floats
    const score = Math.fround(Number(scoreText))
    const isLine = /^-?\d+$/.test(rank ?? '') && tag.length === 1 && Number.isFinite(score)
    if (!isLine && runs.size === 0) return undefined
    if (!isLine || query === undefined || id === undefined)
      throw new UserError(`${file}:${line}: is no line of a TREC run: query Q0 document rank score tag`)
    const run = runs.get(query) ?? { where: `${file}:${line}`, documents: [] }
    run.documents.push({ id, score })
    runs.set(query, run)
  }
  if (runs.size === 0) return undefined
  return Array.from(runs, ([id, { where, documents }]) => ({
    where,
    id,
    passages: trecOrder(documents).map(({ id: name, score }) => ({ name, score })),
  }))
}

function recordOf(value: Readonly<Record<string, unknown>>, where: string): RecordedOutput {
  const part = (of: keyof typeof names): { readonly name: string; readonly value: unknown } | undefined => {
    const name = names[of].find((alias) => value[alias] !== undefined && value[alias] !== null)
    return name === undefined ? undefined : { name, value: value[name] }
  }
  const text = (of: 'id' | 'question' | 'answer'): string | undefined => {
    const field = part(of)
    if (field === undefined) return undefined
    const { name, value: content } = field
    const isNumber = typeof content === 'number' || typeof content === 'bigint'
    if (of === 'id' && isNumber) return String(content)
    if (typeof content !== 'string')
      throw new UserError(`${where}: "${name}" is ${describe(content)}; a text is expected`)
    const trimmedText = of === 'id' ? checkId(content.trim(), name, where) : content.trim()
    return trimmedText === '' ? undefined : trimmedText
  }
  const id = text('id')
  const question = text('question')
  const answer = text('answer')
  if (id === undefined && question === undefined)
    throw new UserError(
      `${where}: names no question: give its "id" or its "question"; found ${Object.keys(value).join(', ') || 'nothing'}`,
    )
  const passageField = part('passages')
  const passages = passageField && passagesOf(passageField.value, where, passageField.name)
  return {
    where,
    ...(id !== undefined && { id }),
    ...(question !== undefined && { question }),
    ...(answer !== undefined && { answer }),
    ...(passages && { passages }),
  }
}

function passagesOf(list: unknown, where: string, name: string): readonly RecordedPassage[] {
  if (!Array.isArray(list)) throw new UserError(`${where}: "${name}" is ${describe(list)}; a list is expected`)
  return (list as readonly unknown[]).map((item, index): RecordedPassage => {
    // fast-graphrag lists titles in "evidence"
    if (typeof item === 'string' && item.trim() !== '')
      return name === 'evidence' ? { name: item.trim() } : { text: item }
    const fields = isObject(item) ? item : {}
    const words = fields.text ?? fields.content
    const id = fields.id ?? fields.chunk_id ?? fields.doc_id ?? fields.title
    const hasId = typeof id === 'string' || typeof id === 'number'
    if (typeof words === 'string' && words.trim() !== '') return { text: words, ...(hasId && { id: String(id) }) }
    if (words === undefined && typeof id === 'string' && id.trim() !== '') return { name: id.trim() }
    throw new UserError(
      `${where}: passage ${index + 1} of "${name}" is ${describe(item)}; a text, or an object with "text" or "id", is expected`,
    )
  })
}
