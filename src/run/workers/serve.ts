import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, UserError } from '../../errors.ts'
import { connectRedis, type Connection, keysOf, removeRun, runsKey } from './connect-redis.ts'
import { openLeases, type Leases } from './leases.ts'
import type { RunRecord } from './run-record.ts'
import { takePart, type Part, type WorkerSettings } from './take-part.ts'

/** Milliseconds between two looks for runs. */
const everyMs = 500

/** Works for every run on a Redis until the signal is raised. Throws UserError where Redis cannot be reached, or is lost. */
export async function serve(url: string, settings: WorkerSettings): Promise<void> {
  const connection = await connectRedis(url)
  const leases = openLeases(url)
  const stop = AbortSignal.any([settings.signal, connection.lost])
  const parts = new Map<string, Part | 'refused'>()
  settings.say(`listening at ${connection.shown}; Ctrl-C ends this worker, and its jobs go to others`)
  try {
    while (!stop.aborted) {
      await connection.asked(look(connection, leases, parts, settings))
      await sleep(everyMs, undefined, { signal: stop }).catch(() => undefined)
    }
    connection.lost.throwIfAborted()
  } finally {
    for (const part of parts.values()) if (part !== 'refused') await part.close()
    await leases.close()
    connection.close()
  }
}

/** Takes part in the runs that are new, and leaves those that have ended. */
async function look(
  connection: Connection,
  leases: Leases,
  parts: Map<string, Part | 'refused'>,
  settings: WorkerSettings,
): Promise<void> {
  const { redis } = connection
  const ids = await redis.smembers(runsKey)
  const records = new Map<string, RunRecord>()
  for (const id of ids) {
    const text = await redis.get(keysOf(id).record)
    if (text !== null) records.set(id, JSON.parse(text) as RunRecord)
  }
  for (const [id, part] of parts) {
    if (records.has(id)) continue
    parts.delete(id)
    if (part === 'refused') continue
    await part.close()
    settings.say(`${part.name}: has ended; ${part.done()} jobs were done here`)
  }
  // its process was killed
  for (const id of ids) if (!records.has(id)) await removeRun(redis, id)
  for (const [id, record] of records) {
    if (parts.has(id)) continue
    try {
      parts.set(id, await takePart(record, { connection, leases, settings }))
      settings.say(`${record.name}: taking part`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      parts.set(id, 'refused')
      const line = `${record.name}: no part is taken: ${messageOf(error)}`
      settings.say(line)
      await redis.rpush(keysOf(id).refusals, `worker ${process.pid} on ${hostname()}: ${line}`)
    }
  }
}
