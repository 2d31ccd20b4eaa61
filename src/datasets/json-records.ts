import { UserError } from '../errors.ts'
import { splitter, type RawRecord } from './json-splitter.ts'
import { malformedAt } from './json-syntax.ts'
import { textOf } from './text-file.ts'

/** A JSON object and the line, from 1, on which it begins. */
export interface JsonRecord {
  readonly line: number
  readonly value: unknown
}

/**
 * The objects of a JSON file, held in memory one at a time: one a line, one after another over any number of lines, or the elements of
 * one array. Throws UserError naming file, line and column of what is malformed, and when the file holds no object.
 */
export async function* jsonRecords(file: string): AsyncGenerator<JsonRecord> {
  const records = splitter(file)
  let count = 0
  for await (const piece of textOf(file))
    for (const raw of records.feed(piece)) {
      count++
      yield parse(file, raw)
    }
  const rest = records.end()
  if (rest) yield parse(file, rest)
  if (count === 0) throw new UserError(`${file}: holds no JSON object`)
}

function parse(file: string, { line, column, text }: RawRecord): JsonRecord {
  try {
    return { line, value: JSON.parse(text) as unknown }
  } catch {
    const at = Math.min(malformedAt(text), text.trimEnd().length)
    const before = text.slice(0, at).split('\n')
    const place = `${file}:${line + before.length - 1}:${(before.at(-1) ?? '').length + (before.length === 1 ? column : 1)}`
    const found = text.slice(at, at + 20).trimEnd()
    throw new UserError(`${place}: malformed JSON ${found === '' ? 'ends here' : `at ${JSON.stringify(found)}`}`)
  }
}
