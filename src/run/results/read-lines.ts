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
  type Row,
  type ScoreLine,
  type StoredLine,
  type TrialLine,
} from '../../records.ts'
import { sha256 } from '../../text/hash.ts'
import { validationErrors } from '../../text/validation-errors.ts'
import type { ContextPassage, Phase } from '../../types.ts'
import { files, readJournal } from './journal.ts'
import type { Meter } from '../../models/index.ts'

/** A line of a file with its number, from 1. */
interface Numbered<T> {
  readonly line: number
  readonly value: T
}

/** The lines of trials.jsonl as they are stored; of several with one id the last. Throws UserError. */
export const storedLines = (folder: string, reading: Reading = {}): AsyncGenerator<Numbered<StoredLine>> =>
  lastLines<StoredLine>(files(folder).trials, storedLine, trialKey, reading)

/** The lines of scores.jsonl; of several of one scorer and judge run on a trial the last. Throws UserError. */
export const numberedScores = (file: string, reading: Reading = {}): AsyncGenerator<Numbered<ScoreLine>> =>
  lastLines<ScoreLine>(file, scoreLine, scoreKey, reading)

/** What a reader knows of a file, which saves work. */
interface Reading {
  /** No line is replaced by a later one, as after a run has ended; or every line is wanted. */
  readonly isUnique?: boolean
  /** This process has validated the lines, or written them. */
  readonly isValid?: boolean
}

/** The lines of trials.jsonl with the texts of their passages; of several with one id the last. Throws UserError. */
export async function* readTrials(folder: string, reading: Reading = {}): AsyncGenerator<IndexLine | TrialLine> {
  const { trials, passages } = files(folder)
  let texts: ReadonlyMap<string, string> | undefined
  for await (const { line, value } of storedLines(folder, reading)) {
    if (value.line === 'index') {
      yield value
      continue
    }
    // a run that goes on meanwhile adds texts
    if (!texts || value.context.some(({ digest }) => !texts?.has(digest))) texts = await textsIn(passages)
    const context: ContextPassage[] = []
    for (const { digest, ...rest } of value.context) {
      const text = texts.get(digest)
      if (text === undefined) throw damaged(`${trials}:${line}`, `names the passage ${digest}, which ${passages} lacks`)
      context.push({ text, ...rest })
    }
    yield { ...value, context }
  }
}

async function textsIn(passages: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const all = checkedLines<PassageText>(passages, passageText)
  for await (const { value } of all) texts.set(value.digest, value.text)
  return texts
}

/** The lines of scores.jsonl, as `numberedScores` without the numbers. */
export async function* readScores(file: string, reading: Reading = {}): AsyncGenerator<ScoreLine> {
  for await (const { value } of numberedScores(file, reading)) yield value
}

/** The lines of meter.jsonl. Throws UserError as `readTrials` does. */
export async function* readMeter(file: string): AsyncGenerator<MeterLine> {
  for await (const { value } of checkedLines<MeterLine>(file, meterLine)) yield value
}

const trialKey = (line: unknown): string => (line as StoredLine).id

function scoreKey(line: unknown): string {
  const { trial, scorerId, run } = line as ScoreLine
  return `${trial} ${scorerId} ${run}`
}

/** Places of lines that are wrong by themselves: a later one has the id, or a text is not that of its digest. */
export async function faultyLines(folder: string): Promise<readonly string[]> {
  const { trials, passages, scores } = files(folder)
  const places: string[] = []
  for (const [file, keyOf] of [
    [trials, trialKey],
    [scores, scoreKey],
  ] as const)
    // prettier-ignore
    for (const line of await replacedLines(file, keyOf)) places.push(`${basename(file)}:${line}`)
  for await (const { line, value } of checkedLines<PassageText>(passages, passageText))
    if (digestOfText(value.text) !== value.digest) places.push(`${basename(passages)}:${line}`)
  return places
}

/** The name of a text in passages.jsonl: 16 hex digits of its SHA-256. */
export const digestOfText = (text: string): string => sha256(text).slice(0, 16)

/** Numbers of the lines that a later one of the same key replaces. */
async function replacedLines(file: string, keyOf: (line: unknown) => string): Promise<ReadonlySet<number>> {
  const last = new Map<string, number>()
  const replaced = new Set<number>()
  for await (const { line, value } of readJournal(file)) {
    // what is no object is told of when it is read
    if (typeof value !== 'object' || value === null) continue
    const key = keyOf(value)
    const before = last.get(key)
    if (before !== undefined) replaced.add(before)
    last.set(key, line)
  }
  return replaced
}

/** The lines of a file, the last one for each key. */
async function* lastLines<T>(
  file: string,
  form: ZodType,
  keyOf: (line: unknown) => string,
  { isUnique = false, isValid = false }: Reading,
): AsyncGenerator<Numbered<T>> {
  const replaced = isUnique ? new Set<number>() : await replacedLines(file, keyOf)
  for await (const numbered of checkedLines<T>(file, isValid ? undefined : form))
    if (!replaced.has(numbered.line)) yield numbered
}

async function* checkedLines<T>(file: string, form: ZodType | undefined): AsyncGenerator<Numbered<T>> {
  for await (const { line, value } of readJournal(file)) {
    const [fault] = form ? validationErrors(form, value, {}) : []
    if (fault) throw damaged(`${file}:${line}`, fault.message)
    yield { line, value: value as T }
  }
}

/** What is said of a file of a results folder that is not as a run writes it. */
export const damaged = (place: string, fault: string): UserError =>
  new UserError(
    `${place}: ${fault}; the file is damaged or was edited by hand: restore it, or remove the results folder`,
  )

/** What the machine did for a line, by phase. */
export function meterLines({ method, variant }: Row, meter: Meter): readonly MeterLine[] {
  const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']
  return phases.flatMap((phase) => {
    const { cached, milliseconds, embeddingMilliseconds: embedding, ...spent } = meter.spent(phase)
    const { sentTexts: newTexts, sentEmbeddedTokens: newEmbeddedTokens } = spent
    const times = {
      milliseconds,
      ...(embedding > 0 && { embeddingMilliseconds: embedding }),
      ...(newTexts > 0 && { newTexts, newEmbeddedTokens }),
    }
    return cached > 0 || milliseconds > 0 ? [{ method, variant, phase, cached, ...times }] : []
  })
}
