import { setTimeout as sleep } from 'node:timers/promises'
import { itemAt, slices } from '../../basics/collections.ts'
import { fromBytes, toBytes, type Permit, type SharedCall, type SharedCalls } from '../../models/index.ts'
import { leaseMs, type Connection } from './connect-redis.ts'
import { expirySeconds, keysOf } from './messages.ts'

/** Milliseconds between two polls for calls that another process makes. */
const pollMs = 25

const maxKeys = 256

/*
 * For each call: its bytes; or those of a reply that was of no use, which is known within the run; or 1 where it is
 * permitted for us, 0 where another process holds the permit.
 */
const permitScript = `
local out = {}
for i, key in ipairs(ARGV) do
  if i > 3 then
    local call = ARGV[1] .. key
    out[i - 3] = redis.call('GET', call) or redis.call('GET', ARGV[2] .. key)
    if not out[i - 3] then out[i - 3] = redis.call('SET', call .. ':permit', '1', 'NX', 'PX', ARGV[3]) and 1 or 0 end
  end
end
return out`

/** The subject of the signature of a call. */
export const callSubject = (key: string): string => `call ${key}`

/** The shared calls of the processes of a run. */
export interface RedisCalls extends SharedCalls {
  /** Keys of the calls used since the last time. */
  takeKeys(): readonly string[]
}

/**
 * The calls of a run that workers on a Redis share. `isCached`: whether calls of other runs count. `signal` ends the
 * waiting for calls of other processes.
 */
export function redisCalls(
  { redis, runCommand, renew, release, signatures }: Connection,
  { run, isCached, signal }: { readonly run: string; readonly isCached: boolean; readonly signal: AbortSignal },
): RedisCalls {
  const { lost: lossPrefix, calls } = keysOf(run)
  const prefix = calls(isCached)
  const permitOf = (key: string): string => `${prefix}${key}:permit`
  const usedKeys = new Set<string>()
  const waiting = new Map<
    string,
    { readonly settle: (permit: SharedCall | 'ours') => void; readonly fail: (error: unknown) => void }
  >()

  const requestPermits = async (keys: readonly string[]): Promise<Map<string, SharedCall | 'ours' | 'theirs'>> => {
    signal.throwIfAborted()
    const answers = new Map<string, SharedCall | 'ours' | 'theirs'>()
    for (const batch of slices(keys, maxKeys)) {
      const replies = await runCommand(redis.callBuffer('EVAL', permitScript, 0, prefix, lossPrefix, leaseMs, ...batch))
      const forgedKeys: string[] = []
      for (const [index, reply] of (replies as readonly (Buffer | number)[]).entries()) {
        const key = itemAt(batch, index)
        const call = typeof reply === 'number' ? undefined : read(key, reply)
        if (reply === 1) renew(permitOf(key))
        if (call) usedKeys.add(key)
        if (call) answers.set(key, call)
        else if (typeof reply === 'number') answers.set(key, reply === 1 ? 'ours' : 'theirs')
        else forgedKeys.push(key)
      }
      if (forgedKeys.length === 0) continue
      await runCommand(redis.unlink(...forgedKeys.flatMap((key) => [`${prefix}${key}`, `${lossPrefix}${key}`])))
      for (const [key, answer] of await requestPermits(forgedKeys)) answers.set(key, answer)
    }
    return answers
  }
  const read = (key: string, message: Buffer): SharedCall | undefined => {
    const bytes = signatures.open(callSubject(key), message)
    if (!bytes) return undefined
    const { session, ...call } = fromBytes(bytes)
    return { ...call, cached: session !== run }
  }
  /** Polls for the calls of other processes until nobody waits. */
  const pollPermits = async (): Promise<void> => {
    try {
      while (waiting.size > 0) {
        await sleep(pollMs, undefined, { signal })
        for (const [key, answer] of await requestPermits([...waiting.keys()])) {
          if (answer === 'theirs') continue
          waiting.get(key)?.settle(answer)
          waiting.delete(key)
        }
      }
    } catch (error) {
      for (const { fail } of waiting.values()) fail(error)
      waiting.clear()
    }
  }
  const wait = (key: string): Promise<SharedCall | 'ours'> =>
    new Promise((settle, fail) => {
      waiting.set(key, { settle, fail })
      if (waiting.size === 1) void pollPermits()
    })

  return {
    session: run,
    takeKeys() {
      const keys = [...usedKeys]
      usedKeys.clear()
      return keys
    },
    async permit(keys) {
      const permitFor = (key: string, answer: SharedCall | 'ours' | 'theirs'): Permit =>
        answer === 'ours' ? answer : answer === 'theirs' ? wait(key) : Promise.resolve(answer)
      return new Map([...(await requestPermits(keys))].map(([key, answer]) => [key, permitFor(key, answer)]))
    },
    async settle(key, call) {
      release(permitOf(key))
      const commands = redis.multi()
      if (call) {
        const bytes = toBytes({ ...call, session: call.cached ? 'before' : run })
        const message = signatures.sign(callSubject(key), bytes)
        commands.set(`${call.failure ? lossPrefix : prefix}${key}`, message, 'EX', expirySeconds)
        if (!call.failure) usedKeys.add(key)
      }
      await runCommand(commands.del(permitOf(key)).exec())
    },
  }
}
