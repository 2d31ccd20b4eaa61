import { basename } from 'node:path'
import type { ZodType } from 'zod'
import { UserError } from '../../errors.ts'
import {
  meterLine,
  passageText,
  scoreLine,
  storedLine,
  type MeterLine,
  type PassageText,
  type ScoreLine,
  type StoredLine,
} from '../../records.ts'
import { validationErrors } from '../../text/validation-errors.ts'
import type { ContextPassage } from '../../types.ts'
import { digestOfText, files, readJournal } from './journal.ts'

/** The stored lines of trials.jsonl, the last of each id. Throws UserError. */
export const storedLines = (folder: string, options?: ReadOptions) =>
  readLines<StoredLine>(files(folder).trials, storedLine, trialKey, options)

/** The lines of scores.jsonl, the last of each trial, scorer and judge run. Throws UserError. */
export const storedScores = (file: string, options?: ReadOptions) =>
  readLines<ScoreLine>(file, scoreLine, scoreKey, options)

/** Facts about a file that save work. */
interface ReadOptions {
  /** Ids are unique, as after a run has ended. */
  readonly isUnique?: boolean
  /** This process has validated or written the lines. */
  readonly isValid?: boolean
}

/** The lines of trials.jsonl with the texts of their passages, the last of each id. Throws UserError. */
export async function* readTrials(folder: string, options?: ReadOptions) {
  const { trials, passages } = files(folder)
  let texts: ReadonlyMap<string, string> | undefined
  for await (const { line, value } of storedLines(folder, options)) {
    if (value.line === 'index') {
      yield value
      continue
    }
    // a concurrent run adds texts
    if (!texts || value.context.some(({ digest }) => !texts?.has(digest))) texts = await readPassageTexts(passages)
    const context: ContextPassage[] = []
    for (const { digest, ...rest } of value.context) {
      const text = texts.get(digest)
      if (text === undefined)
        throw damagedFileError(`${trials}:${line}`, `names the passage ${digest}, which ${passages} lacks`)
      context.push({ text, ...rest })
    }
    yield { ...value, context }
  }
}

async function readPassageTexts(passages: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for await (const { value } of passageLines(passages)) texts.set(value.digest, value.text)
  return texts
}

/** The lines of meter.jsonl. Throws UserError as `readTrials` does. */
export async function* readTimings(file: string, options?: ReadOptions) {
  for await (const { value } of readLines<MeterLine>(file, meterLine, undefined, options)) yield value
}

const passageLines = (file: string) => readLines<PassageText>(file, passageText)

const trialKey = ({ id }: StoredLine) => id

/** The key of a score: of several lines with one key the last counts. */
export const scoreKey = ({ trial, scorerId, run }: Pick<ScoreLine, 'trial' | 'scorerId' | 'run'>) =>
  `${trial} ${scorerId} ${run}`

/** Places of lines with a duplicate id or a text that does not match its digest. */
export async function faultyLines(folder: string) {
  const { trials, passages, scores } = files(folder)
  const placesIn = (file: string, lines: Iterable<number>): string[] =>
    Array.from(lines, (line) => `${basename(file)}:${line}`)
  const places = [
    ...placesIn(trials, await findReplacedLines(trials, trialKey)),
    ...placesIn(scores, await findReplacedLines(scores, scoreKey)),
  ]
  for await (const { line, value } of passageLines(passages))
    if (digestOfText(value.text) !== value.digest) places.push(`${basename(passages)}:${line}`)
  return places
}

/** Numbers of the lines that a later line with the same key replaces. */
async function findReplacedLines(file: string, keyOf: (line: never) => string): Promise<ReadonlySet<number>> {
  const lineOfKey = new Map<string, number>()
  const lineNumbers = new Set<number>()
  for await (const { line, value } of readJournal(file)) {
    // anything but an object is reported when it is read
    if (typeof value !== 'object' || value === null) continue
    const key = keyOf(value as never)
    const previousLine = lineOfKey.get(key)
    if (previousLine !== undefined) lineNumbers.add(previousLine)
    lineOfKey.set(key, line)
  }
  return lineNumbers
}

/** The lines of a file with their numbers, from 1; of lines with keys, the last one for each key. */
async function* readLines<T>(
  file: string,
  schema: ZodType,
  keyOf?: (line: T) => string,
  { isUnique = false, isValid = false }: ReadOptions = {},
) {
  const staleLines = keyOf && !isUnique ? await findReplacedLines(file, keyOf) : undefined
  for await (const { line, value } of readJournal(file)) {
    const [fault] = isValid ? [] : validationErrors(schema, value, {})
    if (fault) throw damagedFileError(`${file}:${line}`, fault.message)
    if (!staleLines?.has(line)) yield { line, value: value as T }
  }
}

/** The error for a malformed file of a results folder. */
export const damagedFileError = (place: string, fault: string): UserError =>
  new UserError(
    `${place}: ${fault}; the file is damaged or was edited by hand: restore it, or remove the results folder`,
  )
