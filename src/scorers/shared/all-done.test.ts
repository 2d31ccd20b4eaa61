import { expect, test } from 'vitest'
import { allDone } from '../measures/ragas/claims.ts'

test('gives results in order', async () => {
  expect(await allDone([Promise.resolve(1), 'two', Promise.resolve(3)])).toEqual([1, 'two', 3])
})

test('a failure waits for the calls that are still under way, and the first in order is thrown', async () => {
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
  await expect(allDone([slow('first', true), quick, slow('last', false)])).rejects.toThrow('first')
  expect(ended).toEqual(['first', 'last'])
})
