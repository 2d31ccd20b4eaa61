import type { Corpus } from '../../types.ts'
import { ask } from '../asking/ask.ts'
import { buildIndex, type BuiltIndex } from '../asking/build-index.ts'
import type { Conditions } from '../asking/conditions.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import type { Performer } from '../asking/performer.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import { meterOf, type Job, type Made } from './jobs.ts'

/** Jobs that are given to workers at the same time; more than all of them do at once, so that none waits for us. */
const atOnce = 1024

/** What came of a job that a worker has done, or how many workers ended at it. */
export type Done = Made | { readonly ended: number }

export interface Jobs {
  /** Brings the documents of a corpus to the workers, once; gives its number. */
  readonly bring: (corpus: Corpus) => Promise<number>
  /** Has a job done. Throws what ends the run. */
  readonly send: (job: Job) => Promise<Done>
}

/** Workers: they do what they are told, and a job at which several of them ended has failed. What names a row is known here alone. */
export const workerPerformer = ({ bring, send }: Jobs, conditions: Conditions): Performer => ({
  concurrency: atOnce,
  async build(at, entry, { corpus, chunked, parts }) {
    const done = await send({ kind: 'index', corpus: await bring(corpus), method: entry.id, repeat: at.repeat, at })
    if ('ended' in done) return buildIndex(at, withIndex(entry, failing(done.ended)), chunked(), conditions, parts)
    return { line: { ...(done.line as IndexLine), ...entry.row }, drew: done.drew, meter: meterOf(done.spent) }
  },
  async ask(at, entry, built, { corpus, chunked }) {
    // a question of an index that failed is not asked
    if (built.line.failure) return ask(at, entry, built, chunked(), conditions)
    const repeat = built.line.repeat ?? 0
    const done = await send({ kind: 'trial', corpus: await bring(corpus), method: entry.id, repeat, at })
    if ('ended' in done) return ask(at, entry, withRetrieve(built, failing(done.ended)), chunked(), conditions)
    return { line: { ...(done.line as TrialLine), ...entry.row }, meter: meterOf(done.spent) }
  },
})

const failing = (ended: number) => (): Promise<never> =>
  Promise.reject(new Error(`${ended} workers ended while they worked on it, and it was not begun again`))

function withIndex(entry: MethodEntry, index: () => Promise<never>): MethodEntry {
  const { part: _part, file: _file, method, ...rest } = entry
  return { ...rest, method: { ...method, index } }
}

const withRetrieve = (built: BuiltIndex, retrieve: () => Promise<never>): BuiltIndex => ({
  ...built,
  index: { retrieve },
})
