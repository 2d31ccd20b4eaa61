import type { Redis } from 'ioredis'
import type { PhaseUsage } from '../../models/index.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import type { Phase } from '../../types.ts'
import type { TrialAt } from '../execute/run-trial.ts'
import type { IndexAt } from '../execute/build-index.ts'

/** A job of a worker, as JSON: build an index, or answer a question. */
export interface Job {
  /** From the id of its line: BullMQ refuses bare numbers, and ignores a job whose id it has. */
  readonly id: string
  /** The number of its corpus in the run, from 0. */
  readonly corpus: number
  /** The id of the system. */
  readonly system: string
  readonly index: IndexAt
  readonly trial?: TrialAt
}

/** The line of a completed job, and the usage of its calls. */
export interface JobOutput {
  readonly line: IndexLine | TrialLine
  readonly isStochastic: boolean
  readonly usage: readonly (readonly [Phase, PhaseUsage])[]
}

/** The message of a worker, as JSON; `calls`: keys of those used since its last one. An error ends the run. */
export type JobResult = (JobOutput & { job: string; calls: readonly string[] }) | { error: string }

/** The set of the ids of runs. */
export const runsKey = 'gembench:runs'

/** The prefix of calls that runs with a cache share. */
export const cachedCalls = 'gembench:calls:'

/** The name of the queue of jobs, below the prefix of its run. */
export const queueName = 'jobs'

/** The keys of one run in Redis, which are what signatures are for, too. */
export const keysOf = (run: string) => {
  const prefix = `gembench:${run}`
  return {
    prefix,
    queue: `${prefix}:${queueName}`,
    /** The run record, for as long as the process of the run lives. */
    record: `${prefix}:record`,
    corpus: (number: number): string => `${prefix}:corpus:${number}`,
    results: `${prefix}:results`,
    /** Reasons of workers that do not join, a line each. */
    refusals: `${prefix}:refusals`,
    /** Calls of a run without a cache. */
    calls: `${prefix}:calls:`,
    /** Unusable replies, so that every worker gets the same failure. */
    lost: `${prefix}:lost:`,
  }
}

/** Seconds after which all keys of a run expire: a week. */
export const expirySeconds = 7 * 24 * 3600

/** Removes a run from Redis, but for its calls. */
export async function removeRun(redis: Redis, run: string): Promise<void> {
  await redis.srem(runsKey, run)
  const keys = redis.scanStream({ match: `${keysOf(run).prefix}:*`, count: 1000 }) as AsyncIterable<string[]>
  for await (const batch of keys) {
    if (batch.length > 0) await redis.unlink(batch)
  }
}
