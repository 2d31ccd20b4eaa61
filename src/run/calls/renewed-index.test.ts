import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Index } from '../../types.ts'
import { renewedIndex } from './renewed-index.ts'

const budget = { passages: 1, tokens: 10 }
const ask = (index: Index, id: string) => index.retrieve({ id, text: id }, budget, fakeModels())

/**
 * Builds indexes of which a question that is fatal ends the one it is asked of, with all that are under way there; and
 * tells what was done.
 */
function mortal(concurrency: number, isFatal: (id: string) => boolean) {
  const log = { builds: 0, busiest: 0, closed: 0 }
  const build = async (): Promise<Index> => {
    log.builds++
    let dead = false
    let busy = 0
    return {
      concurrency,
      hasEnded: () => dead,
      async close() {
        log.closed++
      },
      async retrieve({ id }) {
        log.busiest = Math.max(log.busiest, ++busy)
        await sleep(isFatal(id) ? 10 : 20)
        busy--
        dead ||= isFatal(id)
        if (dead) throw new Error(`ended by ${id}`)
        return []
      },
    }
  }
  return { log, build }
}

const outcomes = async (index: Index, ids: readonly string[]) =>
  (await Promise.allSettled(ids.map((id) => ask(index, id)))).map(({ status }) => status === 'fulfilled')

test.each([1, 2, 4])('only the question that ended the index fails (concurrency %d)', async (concurrency) => {
  const { log, build } = mortal(concurrency, (id) => id === 'bad')
  const index = renewedIndex(await build(), build)
  expect(await outcomes(index, ['a', 'bad', 'b', 'c', 'd'])).toEqual([true, false, true, true, true])
  expect(log.busiest).toBe(concurrency === 1 ? 1 : Math.min(concurrency, 4))
  await index.close?.()
  expect(log.closed).toBe(log.builds)
})

test('an index is built ten times at most', async () => {
  const { log, build } = mortal(1, () => true)
  const index = renewedIndex(await build(), build)
  const ids = Array.from({ length: 12 }, (_, at) => String(at))
  expect(await outcomes(index, ids)).toEqual(ids.map(() => false))
  expect(log.builds).toBe(10)
  await expect(ask(index, 'later')).rejects.toThrow('what it runs has ended 10 times: it is not started again')
})

test('an index that cannot end is not wrapped', () => {
  const plain: Index = { retrieve: async () => [] }
  expect(renewedIndex(plain, async () => plain)).toBe(plain)
})
