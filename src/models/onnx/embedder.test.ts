import { expect, test, vi } from 'vitest'
import { rowQueue, type Row } from './embedder.ts'
import { workClock } from '../calls/work-clock.ts'

const { signal } = new AbortController()
const row = (id: number, length: number): Row => Array.from({ length }, () => id)

/** A model that is given its batches and answers when it is told to. */
function model() {
  const batches: number[][] = []
  const waiting: (() => void)[] = []
  const run = (rows: readonly Row[]): Promise<readonly number[]> => {
    const ids = rows.map(([id = 0]) => id)
    batches.push(ids)
    return new Promise((resolve) => waiting.push(() => resolve(ids)))
  }
  const answerAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      waiting.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { batches, run, answerAll }
}

const valuesOf = async <T>(promises: readonly Promise<{ readonly value: T }>[]): Promise<readonly T[]> =>
  (await Promise.all(promises)).map(({ value }) => value)

test('splits the working time among concurrent calls, without waiting time', async () => {
  const atWork = workClock()
  const clock = vi.spyOn(performance, 'now')
  const at = (milliseconds: number): unknown => clock.mockReturnValue(milliseconds)
  const ends: (() => void)[] = []
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve))
  at(100)
  const [first, second] = [atWork(work), atWork(work)]
  at(110)
  ends[1]?.()
  expect(await second).toMatchObject({ milliseconds: 10 })
  at(113)
  ends[0]?.()
  expect(await first).toMatchObject({ milliseconds: 3 })
  at(200)
  const third = atWork(work)
  at(205)
  ends[2]?.()
  expect(await third).toMatchObject({ milliseconds: 5 })
  clock.mockRestore()
})

test('batches rows of one padded length of all callers', async () => {
  const { batches, run, answerAll } = model()
  const ask = rowQueue(run)
  const promises = [row(1, 7), row(2, 11), row(3, 8), row(4, 12)].map((tokens) => ask(tokens, signal, false))
  await new Promise((resolve) => setImmediate(resolve))
  expect(batches).toEqual([
    [1, 3],
    [2, 4],
  ])
  await answerAll()
  expect(await valuesOf(promises)).toEqual([1, 2, 3, 4])
})

test('serves the longest waiting row first and questions before documents', async () => {
  const { batches, run, answerAll } = model()
  const ask = rowQueue(run)
  const documents = Array.from({ length: 8 }, (_, index) => ask(row(index + 1, 4 * (index + 1)), signal, false))
  await new Promise((resolve) => setImmediate(resolve))
  const questions = [ask(row(20, 32), signal, true), ask(row(21, 4), signal, true)]
  await answerAll()
  expect(await valuesOf([...documents, ...questions])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 20, 21])
  expect(batches).toEqual([[1], [2], [3], [4], [20, 8], [21], [5], [6], [7]])
})

test('skips aborted rows and reports an error to the whole batch', async () => {
  const { batches, run, answerAll } = model()
  const controller = new AbortController()
  const ask = rowQueue(run)
  const abandonedRow = ask(row(1, 4), controller.signal, false)
  const activeRow = ask(row(2, 4), signal, false)
  controller.abort(new Error('ended'))
  await expect(abandonedRow).rejects.toThrow('ended')
  await answerAll()
  expect(await valuesOf([activeRow])).toEqual([2])
  expect(batches).toEqual([[2]])
  const failingQueue = rowQueue(() => Promise.reject(new Error('broken')))
  const outcomes = await Promise.allSettled([
    failingQueue(row(1, 4), signal, false),
    failingQueue(row(2, 4), signal, false),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
