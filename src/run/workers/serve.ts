import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, UserError } from '../../errors.ts'
import { connectRedis, type Connection } from './connect-redis.ts'
import { keysOf, loadBullmq, removeRun, runsKey } from './messages.ts'
import { codeIdentity, type RunRecord } from './run-record.ts'
import { keyVariable } from './signatures.ts'
import { joinRun, warmUp, type Participation, type WorkerSettings } from './join-run.ts'

/** Milliseconds between two polls for runs, and while this worker takes part in one. */
const pollMs = { idle: 50, busy: 250 }

/** Works for every run on a Redis until the signal is aborted. Throws UserError if Redis cannot be reached. */
export async function serve(url: string, settings: WorkerSettings): Promise<void> {
  const connection = await connectRedis(url, settings.say)
  const stop = AbortSignal.any([settings.signal, connection.disconnectSignal])
  const participations = new Map<string, Participation | 'refused'>()
  await loadBullmq()
  codeIdentity()
  await warmUp(stop)
  settings.say(`listening at ${connection.address}; Ctrl-C ends this worker, and its jobs go to others`)
  try {
    while (!stop.aborted) {
      await connection.runCommand(joinRuns(connection, settings, participations))
      const ms = participations.size === 0 ? pollMs.idle : pollMs.busy
      await sleep(ms, undefined, { signal: stop }).catch(() => undefined)
    }
    connection.disconnectSignal.throwIfAborted()
  } finally {
    for (const part of participations.values()) {
      if (typeof part === 'object') await part.close()
    }
    await connection.close()
  }
}

/** Joins new runs, and leaves those that have ended. */
async function joinRuns(
  connection: Connection,
  settings: WorkerSettings,
  parts: Map<string, Participation | 'refused'>,
): Promise<void> {
  const { redis, signatures } = connection
  const ids = await redis.smembers(runsKey)
  const records = new Map<string, Buffer>()
  for (const id of ids) {
    const message = await redis.getBuffer(keysOf(id).record)
    if (message) records.set(id, message)
  }
  for (const [id, part] of parts) {
    if (records.has(id)) continue
    parts.delete(id)
    if (typeof part !== 'object') continue
    await part.close()
    settings.say(`${part.name}: has ended; ${part.done()} jobs were done here`)
    const note = signatures.describeRejected()
    if (note !== undefined) settings.say(`note: ${note}`)
  }
  // the process of the run was killed
  for (const id of ids) if (!records.has(id)) await removeRun(redis, id)
  for (const [id, message] of records) {
    if (parts.has(id)) continue
    const text = signatures.open(keysOf(id).record, message)
    const record = text && (JSON.parse(text.toString()) as RunRecord)
    try {
      if (!record)
        throw new UserError(`the run was not signed with the key of the queue that is here; set ${keyVariable}`)
      parts.set(id, await joinRun(record, connection, settings))
      settings.say(`${record.name}: taking part`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      parts.set(id, 'refused')
      const line = `${record?.name ?? id}: no part is taken: ${messageOf(error)}`
      settings.say(line)
      await redis.rpush(keysOf(id).refusals, `worker ${process.pid} on ${hostname()}: ${line}`)
    }
  }
}
