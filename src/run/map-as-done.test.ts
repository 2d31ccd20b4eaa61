import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapAsDone } from './map-as-done.ts'

const collect = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}

test('yields each result when it is there, and loses none', async () => {
  const tell: (() => void)[] = []
  const work = async (n: number): Promise<number> => {
    await new Promise<void>((resolve) => (tell[n] = resolve))
    return n
  }
  const seen: number[] = []
  setTimeout(() => tell[2]?.(), 1)
  for await (const n of mapAsDone([0, 1, 2], 3, work)) {
    seen.push(n)
    // the last two come while a result is taken
    tell[1]?.()
    tell[0]?.()
    await sleep(1)
  }
  expect(seen).toEqual([2, 1, 0])
})

test('never has more in flight than allowed, and draws few jobs early', async () => {
  let flying = 0
  let most = 0
  let drawn = 0
  let done = 0
  function* jobs(): Generator<number> {
    for (let n = 0; n < 600; n++) {
      drawn++
      expect(drawn - done).toBeLessThanOrEqual(256)
      yield n
    }
  }
  const work = async (n: number): Promise<number> => {
    most = Math.max(most, ++flying)
    await sleep(0)
    flying--
    done++
    return n
  }
  expect(await collect(mapAsDone(jobs(), 4, work))).toHaveLength(600)
  expect(most).toBe(4)
})

test('an error comes after the results of what is in flight, and nothing is left running', async () => {
  let running = 0
  const seen: number[] = []
  const work = async (n: number): Promise<number> => {
    running++
    await sleep(n === 1 ? 1 : 5)
    running--
    if (n === 1) throw new Error('one')
    return n
  }
  await expect(
    (async () => {
      for await (const n of mapAsDone([0, 1, 2], 3, work)) seen.push(n)
    })(),
  ).rejects.toThrow('one')
  expect(seen.sort()).toEqual([0, 2])
  expect(running).toBe(0)
})

test('a job that waits takes no place; of those that are ready the first is begun first', async () => {
  const begun: number[] = []
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const work = async (n: number): Promise<number> => {
    begun.push(n)
    await sleep(1)
    if (n === 3) release()
    return n
  }
  const waits = (n: number): Promise<void> | undefined => (n === 1 || n === 2 ? held : undefined)
  expect(await collect(mapAsDone([0, 1, 2, 3, 4, 5], 1, work, waits))).toEqual([0, 3, 1, 2, 4, 5])
  expect(begun).toEqual([0, 3, 1, 2, 4, 5])
})

test('a result does not wait until there is no room for more', async () => {
  const seen: string[] = []
  async function* jobs(): AsyncGenerator<number> {
    for (const n of [0, 1, 2]) {
      seen.push(`drawn ${n}`)
      yield n
      await sleep(5)
    }
  }
  for await (const n of mapAsDone(jobs(), 4, async (n) => n)) seen.push(`got ${n}`)
  expect(seen.indexOf('got 0')).toBeLessThan(seen.indexOf('drawn 2'))
})

test('after an error nothing is begun, however long the source takes to end', async () => {
  const begun: number[] = []
  async function* jobs(): AsyncGenerator<number> {
    try {
      for (let n = 0; ; n++) yield n
    } finally {
      await sleep(20)
    }
  }
  const work = async (n: number): Promise<number> => {
    begun.push(n)
    await sleep(1)
    if (n === 0) throw new Error('zero')
    return n
  }
  await expect(collect(mapAsDone(jobs(), 2, work))).rejects.toThrow('zero')
  expect(begun.length).toBeLessThan(6)
})

test('no jobs, no results', async () => {
  expect(await collect(mapAsDone([], 4, async (n: number) => n))).toEqual([])
})

test('a timer is heard while no job waits for anything', async () => {
  let heard = false
  setTimeout(() => (heard = true), 1)
  const busy = async (): Promise<boolean> => {
    const until = performance.now() + 1
    while (performance.now() < until);
    return heard
  }
  const outcomes = await collect(mapAsDone(Array.from({ length: 500 }), 4, busy))
  expect(outcomes[0]).toBe(false)
  expect(outcomes.at(-1)).toBe(true)
})
