import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forEachLimited } from './for-each-limited.ts'

test('throws an error once the jobs under way have ended', async () => {
  let running = 0
  const visits: number[] = []
  const work = async (n: number): Promise<void> => {
    running++
    await sleep(n === 1 ? 1 : 5)
    running--
    if (n === 1) throw new Error('one')
    visits.push(n)
  }
  await expect(forEachLimited([0, 1, 2], 3, work)).rejects.toThrow('one')
  expect(visits.sort()).toEqual([0, 2])
  expect(running).toBe(0)
})

test('timers run while jobs end at once', async () => {
  let ran = false
  setTimeout(() => (ran = true), 1)
  const outcomes: boolean[] = []
  await forEachLimited(Array.from({ length: 500 }), 4, async () => {
    const until = performance.now() + 1
    while (performance.now() < until);
    outcomes.push(ran)
  })
  expect([outcomes[0], outcomes.at(-1)]).toEqual([false, true])
})
