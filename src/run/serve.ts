import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTemporaryFolder } from '../basics/files.ts'
import { messageOf, UserError } from '../errors.ts'
import { openConfig } from './open-config.ts'
import { registries } from './plug-ins/registries.ts'
import { runAll } from './run.ts'
import { pieceCount } from '../text/contains-answer.ts'
import { connectRedis, type Connection } from './workers/connect-redis.ts'
import { joinRun, type Participation, type WorkerSettings } from './workers/join-run.ts'
import { keysOf, removeRun, runsKey } from './workers/messages.ts'
import { codeIdentity, type RunRecord } from './workers/run-record.ts'
import { keyVariable } from './workers/signatures.ts'

/** Milliseconds between two polls for runs. */
const pollMs = 100

/** Works for every run on a Redis until the signal is aborted. Throws UserError if Redis cannot be reached. */
export async function serve(url: string, settings: WorkerSettings): Promise<void> {
  const connection = await connectRedis(url, settings.warn)
  const { redis, runCommand, stop, address } = connection
  const signal = AbortSignal.any([settings.signal, stop.signal])
  /** By run; undefined for those that this worker refuses. */
  const participations = new Map<string, Participation | undefined>()
  const joinAndLeave = async (id: string): Promise<void> => {
    const record = await redis.getBuffer(keysOf(id).record)
    if (record && !participations.has(id)) participations.set(id, await join(id, record, connection, settings))
    if (record) return
    const participation = participations.get(id)
    participations.delete(id)
    await participation?.leave(true)
    if (participation) settings.warn(`${participation.name}: has ended`)
    // also where the process of the run was killed
    await removeRun(redis, id)
  }
  try {
    codeIdentity()
    await warmUp(settings)
    settings.warn(`listening at ${address}; Ctrl-C ends this worker after its jobs, a second one gives them to others`)
    while (!signal.aborted) {
      const runs = new Set([...participations.keys(), ...(await runCommand(redis.smembers(runsKey)))])
      for (const id of runs) await runCommand(joinAndLeave(id))
      await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
    stop.signal.throwIfAborted()
  } finally {
    for (const participation of participations.values()) await participation?.leave(false)
    connection.close()
  }
}

/** Answers a question of the sample, so that the first jobs need not load modules and tables. */
const warmUp = ({ signal }: WorkerSettings): Promise<void> =>
  inTemporaryFolder(async (results) => {
    const dataset = { use: 'sample', limit: 1 } as const
    const config = { name: 'warm-up', dataset, methods: ['bm25'] as const, models: { embed: 'fake' } as const }
    const { plans, settings } = await openConfig(config, { results, cache: false, signal, warn: () => undefined })
    await runAll(plans, settings)
    // tables of numbers and units, and the provider of most runs
    pieceCount('1 gram')
    await registries.models.load('openai')
  })

/** Joins a run; undefined, with a line here and there, where this worker cannot. */
async function join(id: string, message: Buffer, connection: Connection, settings: WorkerSettings) {
  const { redis, signatures } = connection
  const text = signatures.open(keysOf(id).record, message)
  const record = text && (JSON.parse(text.toString()) as RunRecord)
  try {
    if (!record)
      throw new UserError(`the run was not signed with the key of the queue that is here; set ${keyVariable}`)
    const participation = await joinRun(id, record, connection, settings)
    settings.warn(`${record.name}: taking part`)
    return participation
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const line = `${record?.name ?? id}: no part is taken: ${messageOf(error)}`
    settings.warn(line)
    await redis.rpush(keysOf(id).refusals, `worker ${process.pid} on ${hostname()}: ${line}`)
    return undefined
  }
}
