import type { Redis } from 'ioredis'

/** The set of runs that workers can take part in, by id. */
export const runsKey = 'gembench:runs'

/** Where calls are shared beyond one run. */
export const callsPrefix = 'gembench:calls:'

/** The name of the queue of jobs, below the prefix of its run. */
export const queueName = 'jobs'

/** The keys of one run; all begin with `gembench:<id>`. */
export const keysOf = (id: string) => {
  const prefix = `gembench:${id}`
  return {
    prefix,
    /** The run record, for as long as the process of the run lives. */
    record: `${prefix}:record`,
    /** Documents of a corpus, by its number. */
    corpus: (number: number): string => `${prefix}:corpus:${number}`,
    /** Results of jobs, as they come. */
    results: `${prefix}:results`,
    /** Why workers take no part, a line each. */
    refusals: `${prefix}:refusals`,
    /** Keys of the calls that were made or found, for the cache of who runs. */
    made: `${prefix}:made`,
    /** Calls that are not shared beyond the run. */
    calls: `${prefix}:calls:`,
    /** Replies that were of no use: every worker meets the same loss. */
    lost: `${prefix}:lost:`,
    /** What says who has a job. */
    lock: (job: string): string => `${prefix}:${queueName}:${job}:lock`,
  }
}

/** Seconds after which what a run has put into Redis is gone, whatever happens: a week. */
export const expirySeconds = 7 * 24 * 3600

/** Removes all keys of a run. */
export async function removeRun(redis: Redis, id: string): Promise<void> {
  await redis.srem(runsKey, id)
  for await (const keys of redis.scanStream({ match: `${keysOf(id).prefix}:*`, count: 1000 }) as AsyncIterable<
    string[]
  >)
    if (keys.length > 0) await redis.unlink(keys)
}
