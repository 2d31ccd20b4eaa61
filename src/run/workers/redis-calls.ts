import { setTimeout as sleep } from 'node:timers/promises'
import { itemAt, slices } from '../../basics/collections.ts'
import { fromBytes, toBytes, type Cache, type Permit, type SharedCall, type SharedCalls } from '../../models/index.ts'
import { leaseMs, type Connection } from './connect-redis.ts'
import { cachedCalls, expirySeconds, keysOf } from './messages.ts'

/** Milliseconds between two polls for calls that another process makes. */
const pollMs = 25

/** Calls per command. */
const maxKeys = 256

/** For each call: its bytes, or those of an unusable reply of this run; else 1 where we get its permit, or 0. */
const permitScript = `
local out = {}
for i = 4, #ARGV do
  local call = ARGV[1] .. ARGV[i]
  local reply = redis.call('GET', call) or redis.call('GET', ARGV[2] .. ARGV[i])
  if not reply then
    reply = redis.call('SET', call .. ':permit', 1, 'NX', 'PX', ARGV[3]) and 1 or 0
  end
  out[i - 3] = reply
end
return out`

/** The subject of the signature of a call. */
const subjectOf = (key: string): string => `call ${key}`

/** Who makes a call; or its result. */
type Answer = SharedCall | 'ours' | 'theirs'

/**
 * The calls of a run that workers on a Redis share. `isCached`: whether calls of other runs count. `signal` ends the
 * waiting for calls of other processes.
 */
export function redisCalls(
  { redis, runCommand, leases, signatures }: Connection,
  { run, isCached, signal }: { readonly run: string; readonly isCached: boolean; readonly signal: AbortSignal },
): SharedCalls {
  const { lost: losses, calls } = keysOf(run)
  const prefix = isCached ? cachedCalls : calls
  const permitOf = (key: string): string => `${prefix}${key}:permit`
  const read = (key: string, reply: Buffer | number): Answer => {
    if (reply === 0) return 'theirs'
    const bytes = typeof reply === 'number' ? undefined : signatures.open(subjectOf(key), reply)
    if (bytes) {
      const { session, ...call } = fromBytes(bytes)
      return { ...call, cached: session !== run }
    }
    // a call that someone else wrote is made again
    leases.add(permitOf(key))
    return 'ours'
  }
  const request = async (keys: readonly string[]): Promise<ReadonlyMap<string, Answer>> => {
    signal.throwIfAborted()
    const answers = new Map<string, Answer>()
    for (const batch of slices(keys, maxKeys)) {
      const script = redis.callBuffer('EVAL', permitScript, 0, prefix, losses, leaseMs, ...batch)
      const replies = (await runCommand(script)) as readonly (Buffer | number)[]
      for (const [index, key] of batch.entries()) answers.set(key, read(key, itemAt(replies, index)))
    }
    return answers
  }
  const waitingKeys = new Set<string>()
  let poll: ReturnType<typeof request> | undefined
  const requestWaiting = async (): ReturnType<typeof request> => {
    await sleep(pollMs, undefined, { signal })
    const answers = await request([...waitingKeys])
    poll = undefined
    return answers
  }
  /** Polls for a call of another process, with all that wait. */
  const wait = async (key: string): Promise<SharedCall | 'ours'> => {
    waitingKeys.add(key)
    for (;;) {
      const answer = (await (poll ??= requestWaiting())).get(key) ?? 'theirs'
      if (answer === 'theirs') continue
      waitingKeys.delete(key)
      return answer
    }
  }
  return {
    session: run,
    async permit(keys) {
      const permits = new Map<string, Permit>()
      for (const [key, answer] of await request(keys)) {
        const call = answer === 'theirs' ? wait(key) : answer
        permits.set(key, call === 'ours' ? call : Promise.resolve(call))
      }
      return permits
    },
    settle(key, call) {
      const commands = redis.pipeline()
      if (call) {
        const bytes = toBytes({ ...call, session: call.cached ? 'before' : run })
        const message = signatures.sign(subjectOf(key), bytes)
        commands.set(`${call.failure ? losses : prefix}${key}`, message, 'EX', expirySeconds)
      }
      leases.delete(permitOf(key))
      // a refusal ends this process
      runCommand(commands.del(permitOf(key)).exec()).catch(() => undefined)
    },
  }
}

/** Copies calls of workers from Redis into a call cache that lacks them. */
export async function copyCalls({ redis, signatures }: Connection, keys: readonly string[], cache: Cache) {
  const newKeys = keys.filter((key) => !cache.get(key))
  for (const batch of slices(newKeys, maxKeys)) {
    const messages = await redis.mgetBuffer(batch.map((key) => `${cachedCalls}${key}`))
    for (const [index, key] of batch.entries()) {
      const bytes = signatures.open(subjectOf(key), messages[index])
      if (bytes) cache.put(key, fromBytes(bytes).entry)
    }
  }
}
