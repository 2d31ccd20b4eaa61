import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { itemAt, slices } from '../../basics/collections.ts'
import { fromBytes, toBytes, type Permit, type SharedCall, type SharedCalls } from '../../models/index.ts'
import { leaseMs, type Connection } from './connect-redis.ts'
import { expirySeconds, keysOf } from './messages.ts'

/** Milliseconds between two polls for calls that another process makes. */
const pollMs = 25

const maxKeys = 256

/*
 * For each call: its bytes; or those of an unusable reply of this run; or 1 where we get its permit, 0 where another
 * process holds it. A permit is the key that its holder keeps alive.
 */
const permitScript = `
local out = {}
for i, key in ipairs(ARGV) do
  if i > 4 then
    local call = ARGV[1] .. key
    local reply = redis.call('GET', call) or redis.call('GET', ARGV[2] .. key)
    if not reply then
      local holder = redis.call('GET', call .. ':permit')
      reply = holder and redis.call('EXISTS', holder) or 0
      if reply == 1 then reply = 0 else
        redis.call('SET', call .. ':permit', ARGV[3], 'EX', ARGV[4])
        reply = 1
      end
    end
    out[i - 4] = reply
  end
end
return out`

/** The subject of the signature of a call. */
export const callSubject = (key: string): string => `call ${key}`

/** The shared calls of the processes of a run. */
export interface RedisCalls extends SharedCalls {
  /** Keys of the calls used since the last time. */
  takeKeys(): readonly string[]
  /** Resolves once the calls that were settled so far are in Redis. Throws UserError if Redis refuses one. */
  finishWrites(): Promise<void>
  /** Gives up all permits. */
  close(): void
}

/**
 * The calls of a run that workers on a Redis share. `isCached`: whether calls of other runs count. `signal` ends the
 * waiting for calls of other processes.
 */
export async function redisCalls(
  { redis, runCommand, renew, release, signatures }: Connection,
  { run, isCached, signal }: { readonly run: string; readonly isCached: boolean; readonly signal: AbortSignal },
): Promise<RedisCalls> {
  const { lost: lossPrefix, calls, alive } = keysOf(run)
  const prefix = calls(isCached)
  const ownKey = alive(randomBytes(9).toString('hex'))
  await runCommand(redis.set(ownKey, '1', 'PX', leaseMs))
  renew(ownKey)
  const usedKeys = new Set<string>()
  const writes = new Set<Promise<unknown>>()
  const waiting = new Map<
    string,
    { readonly settle: (permit: SharedCall | 'ours') => void; readonly fail: (error: unknown) => void }
  >()

  const requestPermits = async (keys: readonly string[]): Promise<Map<string, SharedCall | 'ours' | 'theirs'>> => {
    signal.throwIfAborted()
    const answers = new Map<string, SharedCall | 'ours' | 'theirs'>()
    for (const batch of slices(keys, maxKeys)) {
      const replies = await runCommand(
        redis.callBuffer('EVAL', permitScript, 0, prefix, lossPrefix, ownKey, expirySeconds, ...batch),
      )
      const forgedKeys: string[] = []
      for (const [index, reply] of (replies as readonly (Buffer | number)[]).entries()) {
        const key = itemAt(batch, index)
        const call = typeof reply === 'number' ? undefined : read(key, reply)
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
    settle(key, call) {
      const commands = redis.multi()
      if (call) {
        const bytes = toBytes({ ...call, session: call.cached ? 'before' : run })
        const message = signatures.sign(callSubject(key), bytes)
        commands.set(`${call.failure ? lossPrefix : prefix}${key}`, message, 'EX', expirySeconds)
        if (!call.failure) usedKeys.add(key)
      }
      const write = runCommand(commands.del(`${prefix}${key}:permit`).exec())
      writes.add(write)
      // `finishWrites` reports what Redis refuses
      write.then(() => writes.delete(write)).catch(() => undefined)
    },
    async finishWrites() {
      for (const write of [...writes]) await write.finally(() => writes.delete(write))
    },
    close: () => release(ownKey),
  }
}
