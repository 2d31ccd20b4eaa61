import { expect, test } from 'vitest'
import { ModelError } from '../../errors.ts'
import type { CallResult, Exchange } from './cache.ts'
import { inMemoryCache } from './open-cache.ts'
import { singleFlight, type Permit, type SharedCall } from './single-flight.ts'

const result = (text: string, failure?: ModelError): CallResult<Exchange> => ({
  entry: {
    replies: [{ text, finish: 'stop', promptTokens: 1, completionTokens: 1, estimated: false }],
    milliseconds: 1,
  },
  ...(failure && { failure }),
})

/** Calls of a run in which other processes have these permits; everything else is ours. */
function sharedRun(permits: Readonly<Record<string, Permit>>) {
  const settled = new Map<string, SharedCall | undefined>()
  const cache = inMemoryCache()
  const calls = singleFlight(cache, {
    session: 'run',
    permit: async (keys) => new Map(keys.map((key): [string, Permit] => [key, permits[key] ?? 'ours'])),
    settle: async (key, made) => void settled.set(key, made),
  })
  const batches: (readonly string[])[] = []
  const take = async (...keys: string[]) => {
    const taken = calls.take<Exchange>(keys, (missing) => {
      batches.push(missing)
      return missing.map(async (key) => {
        if (key === 'down') throw new Error('down')
        return result(key, key === 'refused' ? new ModelError('refused', 'no') : undefined)
      })
    })
    return Object.fromEntries(await Promise.all([...taken].map(async ([key, call]) => [key, await call] as const)))
  }
  return { take, settled, batches, cache }
}

test('of a shared run calls of other processes are taken over, and our own are made in one batch and settled', async () => {
  const { take, settled, batches, cache } = sharedRun({
    theirs: Promise.resolve({ ...result('made elsewhere'), cached: true }),
    left: Promise.resolve('ours'),
  })
  const taken = await take('a', 'theirs', 'b', 'left', 'a')
  expect(taken['a']).toEqual({ ...result('a'), cached: false, own: true })
  expect(taken['theirs']).toEqual({ ...result('made elsewhere'), cached: true, own: false })
  expect(taken['left']).toEqual({ ...result('left'), cached: false, own: true })
  expect(batches).toEqual([['a', 'b'], ['left']])
  expect([...settled.keys()].sort()).toEqual(['a', 'b', 'left'])
  expect(cache.get('a')?.entry).toEqual(result('a').entry)
  expect((await take('a'))['a']).toMatchObject({ own: false })
  // also a call by itself is not made where another process has made it
  expect(batches).toHaveLength(2)
})

test('of a shared run a refused reply reaches the others, and a call that failed may be made by them', async () => {
  const { take, settled, cache } = sharedRun({})
  expect((await take('refused'))['refused']?.failure?.kind).toBe('refused')
  await expect(take('down')).rejects.toThrow('down')
  expect(settled.get('refused')).toMatchObject({ failure: { kind: 'refused' } })
  expect([settled.has('down'), settled.get('down')]).toEqual([true, undefined])
  expect(cache.get('refused')).toBeUndefined()
})
