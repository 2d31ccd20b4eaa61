import { basename } from 'node:path'
import type { ZodType } from 'zod'
import { UserError } from '../../errors.ts'
import {
  meterLine,
  passageText,
  scoreLine,
  storedLine,
  type IndexLine,
  type MeterLine,
  type PassageText,
  type ScoreLine,
  type StoredLine,
  type TrialLine,
} from '../../records.ts'
import { validationErrors } from '../../text/validation-errors.ts'
import type { ContextPassage } from '../../types.ts'
import { digestOfText, files, readJournal } from './journal.ts'

/** A line of a file with its number, from 1. */
interface NumberedLine<T> {
  readonly line: number
  readonly value: T
}

/** The stored lines of trials.jsonl, the last of each id. Throws UserError. */
export const storedLines = (folder: string, options: ReadOptions = {}) =>
  lastLines<StoredLine>(files(folder).trials, storedLine, trialKey, options)

/** The lines of scores.jsonl, the last of each trial, scorer and judge run. Throws UserError. */
export const numberedScores = (file: string, options: ReadOptions = {}) =>
  lastLines<ScoreLine>(file, scoreLine, scoreKey, options)

/** Facts about a file that save work. */
interface ReadOptions {
  /** Ids are unique, as after a run has ended. */
  readonly isUnique?: boolean
  /** This process has validated or written the lines. */
  readonly isValid?: boolean
}

/** The lines of trials.jsonl with the texts of their passages, the last of each id. Throws UserError. */
export async function* readTrials(folder: string, options: ReadOptions = {}): AsyncGenerator<IndexLine | TrialLine> {
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
  const lines = checkedLines<PassageText>(passages, passageText)
  for await (const { value } of lines) texts.set(value.digest, value.text)
  return texts
}

/** The lines of scores.jsonl, as `numberedScores` without the numbers. */
export async function* readScores(file: string, options: ReadOptions = {}) {
  for await (const { value } of numberedScores(file, options)) yield value
}

/** The lines of meter.jsonl. Throws UserError as `readTrials` does. */
export async function* readTimings(file: string, { isValid = false }: ReadOptions = {}) {
  for await (const { value } of checkedLines<MeterLine>(file, isValid ? undefined : meterLine)) yield value
}

const trialKey = ({ id }: StoredLine): string => id

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
  for await (const { line, value } of checkedLines<PassageText>(passages, passageText))
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

/** The lines of a file, the last one for each key. */
async function* lastLines<T>(
  file: string,
  schema: ZodType,
  keyOf: (line: T) => string,
  { isUnique = false, isValid = false }: ReadOptions,
): AsyncGenerator<NumberedLine<T>> {
  const staleLines = isUnique ? new Set<number>() : await findReplacedLines(file, keyOf)
  for await (const entry of checkedLines<T>(file, isValid ? undefined : schema))
    if (!staleLines.has(entry.line)) yield entry
}

async function* checkedLines<T>(file: string, schema: ZodType | undefined) {
  for await (const { line, value } of readJournal(file)) {
    const [fault] = schema ? validationErrors(schema, value, {}) : []
    if (fault) throw damagedFileError(`${file}:${line}`, fault.message)
    yield { line, value: value as T }
  }
}

/** The error for a malformed file of a results folder. */
export const damagedFileError = (place: string, fault: string): UserError =>
  new UserError(
    `${place}: ${fault}; the file is damaged or was edited by hand: restore it, or remove the results folder`,
  )
