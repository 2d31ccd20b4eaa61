import { z } from 'zod'
import type { Corpus, Phase } from '../../types.ts'
import { ask, type TrialAt } from '../asking/ask.ts'
import { buildIndex, type BuiltIndex, type IndexAt } from '../asking/build-index.ts'
import type { Conditions } from '../asking/conditions.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { Executor } from '../asking/executor.ts'
import type { OnUsage } from '../asking/call-counts.ts'
import { storedLine, type IndexLine, type TrialLine } from '../../records.ts'
import { UserError } from '../../errors.ts'
import { shapeFaults } from '../../text/shape-faults.ts'
import { createMeter, type Meter, type PhaseUsage } from '../../models/index.ts'

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

/** Workers on a Redis; a job at which several of them ended has failed. */
export const remoteExecutor = ({ bring, send }: Jobs, conditions: Conditions): Executor => ({
  concurrency: atOnce,
  indexesAhead: atOnce / 32,
  async build(at, entry, { corpus, chunked, parts }, onUsage) {
    const done = await send({ kind: 'index', corpus: await bring(corpus), method: entry.id, repeat: at.repeat, at })
    if ('ended' in done) return buildIndex(at, withIndex(entry, failing(done.ended)), chunked, conditions, parts)
    const { isStochastic, spent } = done
    return { line: lineOf<IndexLine>('index', done, entry), isStochastic, meter: meterOf(spent, onUsage) }
  },
  async ask(at, entry, built, { corpus, chunked }, onUsage) {
    // a question of an index that failed is not asked
    if (built.line.failure) return ask(at, entry, built, chunked, conditions)
    const repeat = built.line.repeat ?? 0
    const done = await send({ kind: 'trial', corpus: await bring(corpus), method: entry.id, repeat, at })
    if ('ended' in done) return ask(at, entry, withRetrieve(built, failing(done.ended)), chunked, conditions)
    return { line: lineOf<TrialLine>('trial', done, entry), meter: meterOf(done.spent, onUsage) }
  },
})

/** The line of a job, with the names of its row. Throws UserError where a worker gave none. */
function lineOf<T extends IndexLine | TrialLine>(kind: T['line'], { line }: Made, { row }: MethodEntry): T {
  const whole = { ...line, ...row }
  const wrong =
    whole.line === kind ? shapeFaults(storedLine, asStored(whole), {})[0]?.message : `it is none of a ${kind}`
  if (wrong !== undefined) throw new UserError(`a worker gave what is no line of results: ${wrong}`)
  return whole as T
}

/** A line in the form of trials.jsonl, where texts stand for their digests. */
function asStored(line: IndexLine | TrialLine): unknown {
  const { data } = withContext.safeParse(line)
  return data ? { ...line, context: data.context.map(({ text: digest, ...rest }) => ({ ...rest, digest })) } : line
}

const withContext = z.object({ context: z.array(z.looseObject({ text: z.string() })) })

const failing = (ended: number) => (): Promise<never> =>
  Promise.reject(new Error(`${ended} workers ended while they worked on it, and it was not begun again`))

function withIndex(entry: MethodEntry, index: () => Promise<never>): MethodEntry {
  const { part: _part, file: _file, of: _of, method, ...rest } = entry
  return { ...rest, method: { ...method, index } }
}

const withRetrieve = (built: BuiltIndex, retrieve: () => Promise<never>): BuiltIndex => ({
  ...built,
  index: { retrieve },
})

/** What a worker is to do, as JSON: build an index, or ask a question of one. */
export type Job = {
  /** The number of its corpus in the run, from 0. */
  readonly corpus: number
  readonly method: string
  readonly repeat: number
} & ({ readonly kind: 'index'; readonly at: IndexAt } | { readonly kind: 'trial'; readonly at: TrialAt })

/** The name of a job: the id of its line. BullMQ takes no bare number, and adds no job whose name it has. */
export const jobName = ({ kind, at }: Pick<Job, 'kind' | 'at'>): string => `${kind}-${at.id}`

export interface Made {
  readonly line: IndexLine | TrialLine
  /** Whether the index took random numbers. */
  readonly isStochastic: boolean
  readonly spent: Spent
}

/** What came of a job, as JSON. `ended`: so many workers ended at it, and it was not begun again. */
export type JobResult = { readonly job: string } & (
  Made | { readonly ended: number } | { readonly mistake: string } | { readonly unexpected: string }
)

type Spent = Readonly<Partial<Record<Phase, PhaseUsage>>>

const phases: readonly Phase[] = ['index', 'retrieve', 'answer']

/** What a meter counted, by phase. */
export const spentOf = (meter: Meter): Spent => Object.fromEntries(phases.map((phase) => [phase, meter.spent(phase)]))

function meterOf(spent: Spent, onUsage: OnUsage): Meter {
  const meter = createMeter()
  for (const phase of phases) {
    meter.add(phase, spent[phase] ?? {})
    onUsage(phase, spent[phase] ?? {})
  }
  return meter
}
