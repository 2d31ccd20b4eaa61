import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forEachLimited } from './for-each-limited.ts'

/** What came of jobs, in the order in which they were done. */
async function collect<J, R>(
  jobs: AsyncIterable<J> | Iterable<J>,
  concurrency: number,
  work: (job: J) => Promise<R>,
): Promise<R[]> {
  const finishCount: R[] = []
  await forEachLimited(jobs, concurrency, async (job) => void finishCount.push(await work(job)))
  return finishCount
}

test('never runs more jobs than the limit, and takes no job early', async () => {
  let flying = 0
  let most = 0
  let sample = 0
  let finishCount = 0
  function* jobs(): Generator<number> {
    for (let n = 0; n < 600; n++) {
      sample++
      expect(sample - finishCount).toBeLessThanOrEqual(4)
      yield n
    }
  }
  const work = async (n: number): Promise<number> => {
    most = Math.max(most, ++flying)
    await sleep(0)
    flying--
    finishCount++
    return n
  }
  expect(await collect(jobs(), 4, work)).toHaveLength(600)
  expect(most).toBe(4)
})

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
  const busy = async (): Promise<boolean> => {
    const until = performance.now() + 1
    while (performance.now() < until);
    return ran
  }
  const outcomes = await collect(Array.from({ length: 500 }), 4, busy)
  expect(outcomes[0]).toBe(false)
  expect(outcomes.at(-1)).toBe(true)
})
