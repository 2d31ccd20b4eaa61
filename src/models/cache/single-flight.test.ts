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
  const settlements = new Map<string, SharedCall | undefined>()
  const cache = inMemoryCache()
  const calls = singleFlight(cache, {
    session: 'run',
    permit: async (keys) => new Map(keys.map((key): [string, Permit] => [key, permits[key] ?? 'ours'])),
    settle: (key, outcome) => void settlements.set(key, outcome),
  })
  const batches: (readonly string[])[] = []
  const take = async (...keys: string[]) => {
    const results = calls.take<Exchange>(keys, (missing) => {
      batches.push(missing)
      return missing.map(async (key) => {
        if (key === 'down') throw new Error('down')
        return result(key, key === 'refused' ? new ModelError('refused', 'no') : undefined)
      })
    })
    return Object.fromEntries(await Promise.all([...results].map(async ([key, call]) => [key, await call] as const)))
  }
  return { take, settlements, batches, cache }
}

test('in a distributed run reuses calls of other processes and settles its own in one batch', async () => {
  const { take, settlements, batches, cache } = sharedRun({
    theirs: Promise.resolve({ ...result('made elsewhere'), cached: true }),
    left: Promise.resolve('ours'),
  })
  const results = await take('a', 'theirs', 'b', 'left', 'a')
  expect(results['a']).toEqual({ ...result('a'), cached: false, isOwn: true })
  expect(results['theirs']).toEqual({ ...result('made elsewhere'), cached: true, isOwn: false })
  expect(results['left']).toEqual({ ...result('left'), cached: false, isOwn: true })
  expect(batches).toEqual([['a', 'b'], ['left']])
  expect([...settlements.keys()].sort()).toEqual(['a', 'b', 'left'])
  expect(cache.get('a')?.entry).toEqual(result('a').entry)
  expect((await take('a'))['a']).toMatchObject({ isOwn: false })
  // also a call by itself is not made where another process has made it
  expect(batches).toHaveLength(2)
})

test('in a distributed run publishes refused replies and releases failed calls', async () => {
  const { take, settlements, cache } = sharedRun({})
  expect((await take('refused'))['refused']?.failure?.kind).toBe('refused')
  await expect(take('down')).rejects.toThrow('down')
  expect(settlements.get('refused')).toMatchObject({ failure: { kind: 'refused' } })
  expect([settlements.has('down'), settlements.get('down')]).toEqual([true, undefined])
  expect(cache.get('refused')).toBeUndefined()
})
