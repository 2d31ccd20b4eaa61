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
 * A passage by its text, or one that is only named: by the id of a chunk or a document, or by a title. With a score it
 * is of a run of TREC, where every name is an id.
 */
export type RecordedPassage =
  { readonly text: string; readonly id?: string } | { readonly name: string; readonly score?: number }

/** What another system said of one question; `where`: file and line. An empty answer is none. */
export interface RecordedOutput {
  readonly where: string
  readonly id?: string
  readonly question?: string
  readonly answer?: string
  readonly passages?: readonly RecordedPassage[]
}

/** The names that each part of a record has in the formats that are read, as JSON and as columns of CSV. */
const names = {
  id: ['id', '_id', 'question_id', 'query_id'],
  question: ['question', 'user_input', 'query', 'question_text', 'text'],
  answer: ['answer', 'response'],
  passages: ['contexts', 'retrieved_contexts', 'context', 'evidence', 'documents'],
} as const

/**
 * The recorded outputs of a file: JSON lines or an array of objects (RAGAS: user_input, retrieved_contexts, response;
 * BenchmarkQED: question_id, question, answer, context; RAGBench: question, documents, response; fast-graphrag:
 * question, evidence as titles), CSV with these columns, or a run of TREC. Throws UserError naming file and line of
 * what cannot be read or is there twice.
 */
export async function readRecords(file: string): Promise<readonly RecordedOutput[]> {
  const read = file.endsWith('.csv') ? await csvRecords(file) : ((await trecRecords(file)) ?? (await jsonRecords(file)))
  if (read.length === 0) throw new UserError(`${file}: holds no record`)
  for (const part of ['id', 'question'] as const) {
    const met = new Map<string, string>()
    for (const { where, [part]: key } of read) {
      const before = key === undefined ? undefined : met.get(key)
      if (before !== undefined)
        throw new UserError(`${where}: the ${part} ${JSON.stringify(key)} is there already, at ${before}; keep one`)
      if (key !== undefined) met.set(key, where)
    }
  }
  return read
}

async function jsonRecords(file: string): Promise<readonly RecordedOutput[]> {
  const read: RecordedOutput[] = []
  const [form, expected] = [z.record(z.string(), z.unknown()), 'objects, one for each question']
  const found = recordsOf(file, form, expected, malformedRecords('stop'), { numbers: 'text' })
  for await (const { value, where } of found) read.push(recordOf(value, where))
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

/** A cell that holds a list of JSON, or of texts as Python writes it, or one passage. */
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

/** The lines of a run of TREC, in the order of trec_eval; undefined where the first line is none. */
async function trecRecords(file: string): Promise<readonly RecordedOutput[] | undefined> {
  const runs = new Map<string, { readonly where: string; readonly found: Retrieved[] }>()
  for await (const { line, text } of lines(file)) {
    const [query, , id, rank, written, ...tag] = text.trim().split(/\s+/)
    // trec_eval reads scores as 32-bit floats
    const score = Math.fround(Number(written))
    const isLine = /^-?\d+$/.test(rank ?? '') && tag.length === 1 && Number.isFinite(score)
    if (!isLine && runs.size === 0) return undefined
    if (!isLine || query === undefined || id === undefined)
      throw new UserError(`${file}:${line}: is no line of a TREC run: query Q0 document rank score tag`)
    const run = runs.get(query) ?? { where: `${file}:${line}`, found: [] }
    run.found.push({ id, score })
    runs.set(query, run)
  }
  if (runs.size === 0) return undefined
  return Array.from(runs, ([id, { where, found }]) => ({
    where,
    id,
    passages: trecOrder(found).map(({ id: name, score }) => ({ name, score })),
  }))
}

function recordOf(value: Readonly<Record<string, unknown>>, where: string): RecordedOutput {
  const part = (of: keyof typeof names): { readonly name: string; readonly value: unknown } | undefined => {
    const name = names[of].find((one) => value[one] !== undefined && value[one] !== null)
    return name === undefined ? undefined : { name, value: value[name] }
  }
  const text = (of: 'id' | 'question' | 'answer'): string | undefined => {
    const found = part(of)
    if (found === undefined) return undefined
    const { name, value: own } = found
    if (of === 'id' && (typeof own === 'number' || typeof own === 'bigint')) return String(own)
    if (typeof own !== 'string') throw new UserError(`${where}: "${name}" is ${describe(own)}; a text is expected`)
    const trimmed = of === 'id' ? checkId(own.trim(), name, where) : own.trim()
    return trimmed === '' ? undefined : trimmed
  }
  const [id, question, answer] = [text('id'), text('question'), text('answer')]
  if (id === undefined && question === undefined)
    throw new UserError(
      `${where}: names no question: give its "id" or its "question"; found ${Object.keys(value).join(', ') || 'nothing'}`,
    )
  const given = part('passages')
  const passages = given && passagesOf(given.value, where, given.name)
  return {
    where,
    ...(id !== undefined && { id }),
    ...(question !== undefined && { question }),
    ...(answer !== undefined && { answer }),
    ...(passages && { passages }),
  }
}

function passagesOf(given: unknown, where: string, name: string): readonly RecordedPassage[] {
  if (!Array.isArray(given)) throw new UserError(`${where}: "${name}" is ${describe(given)}; a list is expected`)
  return (given as readonly unknown[]).map((one, index): RecordedPassage => {
    // fast-graphrag lists the titles of passages
    if (typeof one === 'string' && one.trim() !== '') return name === 'evidence' ? { name: one.trim() } : { text: one }
    const own = isObject(one) ? one : {}
    const words = own.text ?? own.content
    const id = own.id ?? own.chunk_id ?? own.doc_id ?? own.title
    if (typeof words === 'string' && words.trim() !== '')
      return { text: words, ...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }) }
    if (words === undefined && typeof id === 'string' && id.trim() !== '') return { name: id.trim() }
    throw new UserError(
      `${where}: passage ${index + 1} of "${name}" is ${describe(one)}; a text, or an object with "text" or "id", is expected`,
    )
  })
}
