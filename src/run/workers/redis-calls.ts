import { setTimeout as sleep } from 'node:timers/promises'
import { itemAt, slices } from '../../basics/collections.ts'
import { fromBytes, toBytes, type Permit, type SharedCall, type SharedCalls } from '../../models/index.ts'
import { type Connection, expirySeconds, keysOf, leaseMs } from './connect-redis.ts'

/** Milliseconds between two looks at calls that another process makes. */
const everyMs = 25

const most = 256

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

/** What the signature of a call is for. */
export const aboutCall = (key: string): string => `call ${key}`

/**
 * The calls of a run that workers on a Redis share. `cache`: whether calls of other runs count, and who runs is told of
 * each that is made or found, to keep it. `signal` ends the waiting for calls of others.
 */
export function redisCalls(
  { redis, asked, leases, signatures }: Connection,
  { run, cache, signal }: { readonly run: string; readonly cache: boolean; readonly signal: AbortSignal },
): SharedCalls {
  const { made: announced, lost, calls } = keysOf(run)
  const prefix = calls(cache)
  const tell = (keys: readonly string[]): Promise<unknown> =>
    asked(
      redis
        .multi()
        .rpush(announced, ...keys)
        .expire(announced, expirySeconds)
        .exec(),
    )
  const permitOf = (key: string): string => `${prefix}${key}:permit`
  const ask = async (keys: readonly string[]): Promise<Map<string, SharedCall | 'ours' | 'theirs'>> => {
    signal.throwIfAborted()
    const answers = new Map<string, SharedCall | 'ours' | 'theirs'>()
    for (const some of slices(keys, most)) {
      const told = await asked(redis.callBuffer('EVAL', permitScript, 0, prefix, lost, leaseMs, ...some))
      const found: string[] = []
      const unsigned: string[] = []
      for (const [index, answer] of (told as readonly (Buffer | number)[]).entries()) {
        const key = itemAt(some, index)
        if (answer === 1) leases.keep(permitOf(key))
        if (typeof answer === 'number') answers.set(key, answer === 1 ? 'ours' : 'theirs')
        else {
          const call = read(key, answer)
          if (call) {
            answers.set(key, call)
            found.push(key)
          } else unsigned.push(key)
        }
      }
      if (unsigned.length > 0) {
        await asked(redis.unlink(...unsigned.flatMap((key) => [`${prefix}${key}`, `${lost}${key}`])))
        for (const [key, answer] of await ask(unsigned)) answers.set(key, answer)
      }
      if (cache && found.length > 0) await tell(found)
    }
    return answers
  }
  const read = (key: string, signed: Buffer): SharedCall | undefined => {
    const bytes = signatures.open(aboutCall(key), signed)
    if (!bytes) return undefined
    const { session, ...made } = fromBytes(bytes)
    return { ...made, cached: session !== run }
  }

  const waiting = new Map<
    string,
    { readonly settle: (permit: SharedCall | 'ours') => void; readonly fail: (error: unknown) => void }
  >()
  let looking = false
  /** Looks, for all that wait, until none does. */
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    try {
      while (waiting.size > 0) {
        await sleep(everyMs, undefined, { signal })
        for (const [key, answer] of await ask([...waiting.keys()])) {
          if (answer === 'theirs') continue
          waiting.get(key)?.settle(answer)
          waiting.delete(key)
        }
      }
    } catch (error) {
      for (const { fail } of waiting.values()) fail(error)
      waiting.clear()
    } finally {
      looking = false
    }
  }
  const wait = (key: string): Promise<SharedCall | 'ours'> => {
    const permit = new Promise<SharedCall | 'ours'>((settle, fail) => waiting.set(key, { settle, fail }))
    void look()
    return permit
  }

  return {
    session: run,
    async permit(keys) {
      const answers = await ask(keys)
      return new Map(
        [...answers].map(([key, answer]): [string, Permit] => [
          key,
          answer === 'ours' ? answer : answer === 'theirs' ? wait(key) : Promise.resolve(answer),
        ]),
      )
    },
    async settle(key, made) {
      leases.release(permitOf(key))
      const commands = redis.multi()
      if (made) {
        const bytes = toBytes({ ...made, session: made.cached ? 'before' : run })
        const signed = signatures.sign(aboutCall(key), bytes)
        commands.set(`${made.failure ? lost : prefix}${key}`, signed, 'EX', expirySeconds)
        if (cache && !made.failure) commands.rpush(announced, key).expire(announced, expirySeconds)
      }
      await asked(commands.del(permitOf(key)).exec())
    },
  }
}
