import type { ZodType } from 'zod'
import { regularFile } from '../../basics/files.ts'
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
import { lines } from '../../text/jsonl.ts'
import { shapeFaults } from '../../text/shape-faults.ts'
import type { ContextPassage, Phase } from '../../types.ts'
import { files, readJournal } from './journal.ts'
import type { Meter } from '../../models/index.ts'

/** Whether a file is as a run left it that has ended: no line of it is replaced by a later one. */
type AsLeft = () => Promise<boolean>

/** For readers to whom every line counts, whether or not a later one replaces it. */
export const allLines: AsLeft = () => Promise.resolve(true)

/** The lines of trials.jsonl with the texts of their passages; of several with one id the last. Throws UserError. */
export const readTrials = (folder: string, isAsLeft?: AsLeft): AsyncIterable<IndexLine | TrialLine> =>
  trialsOf(folder, storedLine, isAsLeft)

/** The same of a folder that this process has read by `readTrials`, and ordered by `orderTrials`. */
export const readOrderedTrials = (folder: string): AsyncIterable<IndexLine | TrialLine> =>
  trialsOf(folder, undefined, allLines)

async function* trialsOf(
  folder: string,
  form: ZodType | undefined,
  isAsLeft?: AsLeft,
): AsyncGenerator<IndexLine | TrialLine> {
  const { trials, passages } = files(folder)
  let texts: ReadonlyMap<string, string> | undefined
  for await (const { line, value } of numbered<StoredLine>(trials, form, trialKey, isAsLeft)) {
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

/** The lines of indexes in a folder that this process has read by `readTrials` before. */
export async function* readCheckedIndexes(folder: string): AsyncIterable<IndexLine> {
  const { trials } = files(folder)
  if (!regularFile(trials)) return
  for await (const { text } of lines(trials)) {
    // trials are many and long, and all begin like this where a run has written them
    if (text.startsWith('{"line":"trial"')) continue
    const line = JSON.parse(text) as StoredLine
    if (line.line === 'index') yield line
  }
}

/** The lines of scores.jsonl; of several of one scorer and judge run on a trial the last. Throws UserError. */
export async function* readScores(file: string, isAsLeft?: AsLeft): AsyncGenerator<ScoreLine> {
  for await (const { value } of numbered<ScoreLine>(file, scoreLine, scoreKey, isAsLeft)) yield value
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

/** How many lines of trials.jsonl and scores.jsonl a later one replaces, by file; none after a run has ended. */
export async function doubledLines(folder: string): Promise<Readonly<Record<'trials' | 'scores', readonly number[]>>> {
  const { trials, scores } = files(folder)
  return {
    trials: [...(await replacedLines(trials, trialKey))],
    scores: [...(await replacedLines(scores, scoreKey))],
  }
}

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

interface Numbered<T> {
  readonly line: number
  readonly value: T
}

/** The lines of a file, the last one for each key. */
async function* numbered<T>(
  file: string,
  form: ZodType | undefined,
  keyOf: (line: unknown) => string,
  isAsLeft?: AsLeft,
): AsyncGenerator<Numbered<T>> {
  const replaced = (await isAsLeft?.()) ? new Set<number>() : await replacedLines(file, keyOf)
  for await (const one of checkedLines<T>(file, form)) if (!replaced.has(one.line)) yield one
}

async function* checkedLines<T>(file: string, form: ZodType | undefined): AsyncGenerator<Numbered<T>> {
  for await (const { line, value } of readJournal(file)) {
    const [fault] = form ? shapeFaults(form, value, {}) : []
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
