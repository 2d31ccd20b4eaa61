import { UserError } from '../../errors.ts'
import { badRecords, type BadRecords } from '../shared/bad-records.ts'
import { splitter, type RawRecord } from './json-splitter.ts'
import { malformedAt } from './json-syntax.ts'
import { isObject } from './shape.ts'
import { textOf } from './text-file.ts'

/** A JSON object and the line, from 1, on which it begins. */
export interface JsonRecord {
  readonly line: number
  readonly value: unknown
}

/**
 * The objects of a JSON file, held in memory one at a time: one a line, one after another over any number of lines, or the elements of
 * one array. Throws UserError naming file, line and column of what is malformed, and when the file holds no object. Where bad records
 * are skipped, a malformed object is passed over; what breaks the form around the objects is an error all the same.
 */
export async function* jsonRecords(file: string, bad: BadRecords = badRecords('stop')): AsyncGenerator<JsonRecord> {
  const raws = bad.skips && (await standsOnLines(file)) ? linesOf(file) : objectsOf(file)
  let found = false
  for await (const raw of raws) {
    found = true
    const record = bad.attempt(() => parse(file, raw))
    if (record) yield record
  }
  if (!found) throw new UserError(`${file}: contains no JSON object`)
}

async function* objectsOf(file: string): AsyncGenerator<RawRecord> {
  const records = splitter(file)
  for await (const piece of textOf(file)) yield* records.feed(piece)
  const rest = records.end()
  if (rest) yield rest
}

/** Whether a file holds one object a line, as far as its first lines tell: only then a line that breaks off spoils no other. */
async function standsOnLines(file: string): Promise<boolean> {
  let looked = 0
  for await (const { text } of linesOf(file)) {
    if (!text.trimStart().startsWith('{')) return false
    if (isRecord(text)) return true
    if (++looked === 10) return false
  }
  return false
}

function isRecord(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

/** The lines that are not blank. */
async function* linesOf(file: string): AsyncGenerator<RawRecord> {
  let line = 0
  let rest = ''
  for await (const piece of textOf(file)) {
    const [first = '', ...others] = piece.split('\n')
    rest += first
    for (const next of others) {
      line++
      if (rest.trim() !== '') yield { line, column: 1, text: rest }
      rest = next
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, column: 1, text: rest }
}

function parse(file: string, { line, column, text }: RawRecord): JsonRecord {
  try {
    return { line, value: JSON.parse(text) as unknown }
  } catch {
    const at = Math.min(malformedAt(text), text.trimEnd().length)
    const before = text.slice(0, at).split('\n')
    const place = `${file}:${line + before.length - 1}:${(before.at(-1) ?? '').length + (before.length === 1 ? column : 1)}`
    const found = text.slice(at, at + 20).trimEnd()
    throw new UserError(`${place}: malformed JSON ${found === '' ? '(unexpected end)' : `at ${JSON.stringify(found)}`}`)
  }
}
