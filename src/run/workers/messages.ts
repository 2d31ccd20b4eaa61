import type { Redis } from 'ioredis'
import { loadOptional } from '../../basics/loading.ts'
import type { PhaseUsage } from '../../models/index.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import type { Phase } from '../../types.ts'
import type { TrialAt } from '../execute/run-trial.ts'
import type { IndexAt } from '../execute/build-index.ts'

/** BullMQ, the queue of jobs. Throws UserError with the command that installs it. */
export const loadBullmq = async (): Promise<typeof import('bullmq')> =>
  (await loadOptional({ kind: 'workers', package: 'bullmq', version: '5.81.5' })) as typeof import('bullmq')

/** What a worker is to do, as JSON: build an index, or ask a question of one. */
export interface Job {
  /** The number of its corpus in the run, from 0. */
  readonly corpus: number
  /** The id of the system. */
  readonly system: string
  readonly index: IndexAt
  readonly trial?: TrialAt
}

/** The name of a job: the id of its line. BullMQ takes no bare number, and adds no job whose name it has. */
export const jobName = ({ index, trial }: Job): string => (trial ? `trial-${trial.id}` : `index-${index.id}`)

/** The line of a job that a worker has done, and what its calls used. */
export interface Done {
  readonly line: IndexLine | TrialLine
  readonly isStochastic: boolean
  readonly spent: Readonly<Partial<Record<Phase, PhaseUsage>>>
}

/** What came of a job. `ended`: so many workers ended at it, and it was not begun again. */
export type Outcome = Done | { readonly ended: number } | { readonly mistake: string } | { readonly unexpected: string }

/** What a worker sends back, as JSON. */
export type JobResult = Outcome & {
  readonly job: string
  /** Keys of calls that the worker has used since its last result. */
  readonly calls: readonly string[]
}

/** The set of the ids of runs. */
export const runsKey = 'gembench:runs'

/** The name of the queue of jobs, below the prefix of its run. */
export const queueName = 'jobs'

/** The keys of one run in Redis, which are what signatures are for, too. */
export const keysOf = (run: string) => {
  const prefix = `gembench:${run}`
  return {
    prefix,
    /** The run record, for as long as the process of the run lives. */
    record: `${prefix}:record`,
    corpus: (number: number): string => `${prefix}:corpus:${number}`,
    /** What the queue knows of itself. */
    meta: `${prefix}:${queueName}:meta`,
    job: `${prefix}:${queueName}`,
    results: `${prefix}:results`,
    /** Why workers take no part, a line each. */
    refusals: `${prefix}:refusals`,
    /** Calls; without a cache they are not shared beyond the run. */
    calls: (isCached: boolean): string => (isCached ? 'gembench:calls:' : `${prefix}:calls:`),
    /** Replies that were of no use: every worker meets the same loss. */
    lost: `${prefix}:lost:`,
    lock: (job: string): string => `${prefix}:${queueName}:${job}:lock`,
  }
}

/** Seconds after which what a run has put into Redis is gone, whatever happens: a week. */
export const expirySeconds = 7 * 24 * 3600

/** Leaves nothing of a run in Redis but the calls that were made. */
export async function removeRun(redis: Redis, run: string): Promise<void> {
  await redis.srem(runsKey, run)
  const keys = redis.scanStream({ match: `${keysOf(run).prefix}:*`, count: 1000 }) as AsyncIterable<string[]>
  for await (const some of keys) if (some.length > 0) await redis.unlink(some)
}
