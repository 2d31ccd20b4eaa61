import { expect, test } from 'vitest'
import { awaitAll } from '../measures/ragas/claims.ts'

test('returns results in order', async () => {
  expect(await awaitAll([Promise.resolve(1), 'two', Promise.resolve(3)])).toEqual([1, 'two', 3])
})

test('waits for running calls after a failure, and throws the first in order', async () => {
  const ended: string[] = []
  const slow = (name: string, fails: boolean) =>
    new Promise<void>((resolve, reject) =>
      setImmediate(() => {
        ended.push(name)
        if (fails) reject(new Error(name))
        else resolve()
      }),
    )
  const quick = Promise.reject(new Error('quick'))
  await expect(awaitAll([slow('first', true), quick, slow('last', false)])).rejects.toThrow('first')
  expect(ended).toEqual(['first', 'last'])
})
