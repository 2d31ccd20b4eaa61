import type { ZodType } from 'zod'
import { UserError } from '../../errors.ts'
import type { IndexLine, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import { lines } from '../../text/jsonl.ts'
import { shapeFaults } from '../../text/shape-faults.ts'
import { readJournal } from './journal.ts'
import { meterForm, scoresForm, trialsForm } from './result-forms.ts'

/** The lines of trials.jsonl. Throws UserError naming the line that is none. */
export const readTrials = (file: string): AsyncIterable<IndexLine | TrialLine> => checked(file, trialsForm)

/** The lines of a trials.jsonl that this process has read by `readTrials` before. */
export async function* readCheckedTrials(file: string): AsyncIterable<IndexLine | TrialLine> {
  for await (const { value } of readJournal(file)) yield value as IndexLine | TrialLine
}

/** Of such a file, the lines of indexes. */
export async function* readCheckedIndexes(file: string): AsyncIterable<IndexLine> {
  for await (const { text } of lines(file)) {
    // trials are many and long, and all begin like this where a run has written them
    if (text.startsWith('{"line":"trial"')) continue
    const line = JSON.parse(text) as IndexLine | TrialLine
    if (line.line === 'index') yield line
  }
}

/** The lines of scores.jsonl. Throws UserError as `readTrials` does. */
export const readScores = (file: string): AsyncIterable<ScoreLine> => checked(file, scoresForm)

/** The lines of meter.jsonl. Throws UserError as `readTrials` does. */
export const readMeter = (file: string): AsyncIterable<MeterLine> => checked(file, meterForm)

async function* checked<T>(file: string, form: ZodType): AsyncGenerator<T> {
  for await (const { line, value } of readJournal(file)) {
    const [fault] = shapeFaults(form, value, {})
    if (fault) throw damaged(`${file}:${line}`, fault.message)
    yield value as T
  }
}

/** What is said of a file of a results folder that is not as a run writes it. */
export const damaged = (place: string, fault: string): UserError =>
  new UserError(
    `${place}: ${fault}; the file is damaged or was edited by hand: restore it, or remove the results folder`,
  )
