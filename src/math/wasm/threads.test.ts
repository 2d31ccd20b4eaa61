import { beforeEach, expect, test, vi } from 'vitest'
import type { Kernel } from './kernels.ts'

beforeEach(() => {
  vi.resetModules()
  vi.doUnmock('node:os')
  vi.doUnmock('node:worker_threads')
})

const threads = (count: number) => vi.doMock('node:os', () => ({ availableParallelism: () => count }))

/** 64 calls, each of which adds 1 to a place of its own; gives the numbers there, and how many calls this thread made. */
async function ones() {
  const { compile, kernels, memoryOf } = await import('./kernels.ts')
  const { shareOut } = await import('./threads.ts')
  const code = compile(true)
  const memory = memoryOf(2 ** 17, true)
  const numbers = new Float64Array(memory.buffer)
  // a column of four ones, times the number 1: four rows of a panel
  numbers.fill(1, 0, 8)
  const [rows, unit, long] = [4, 4 * 8, 64]
  const calls = Array.from({ length: 64 }, (_, i): Parameters<Kernel> => [0, 8, rows, 1, long + i * 128, unit])
  const run = kernels(code, memory).spread64
  return () => {
    numbers.fill(0, long / 8)
    let own = 0
    shareOut({ code, memory, id: 0, name: 'spread64', calls }, (...given) => {
      own++
      run(...given)
    })
    return { own, sums: new Set(numbers.subarray(long / 8, long / 8 + 64 * 16)) }
  }
}

test('one thread makes all the calls', async () => {
  threads(1)
  expect((await ones())()).toEqual({ own: 64, sums: new Set([1]) })
})

test('two threads make every call once, and before they are awaited', async () => {
  threads(2)
  const work = await ones()
  // until the helper is there and quick enough to have had a part
  for (;;) {
    const { own, sums } = work()
    expect(sums).toEqual(new Set([1]))
    if (own < 64) break
  }
})

test('a helper that may not be started takes none of the calls', async () => {
  threads(2)
  const Worker = vi.fn(function () {
    throw new Error('no workers here')
  })
  vi.doMock('node:worker_threads', () => ({ Worker }))
  const work = await ones()
  for (let time = 0; time < 2; time++) expect(work()).toEqual({ own: 64, sums: new Set([1]) })
  expect(Worker).toHaveBeenCalledOnce()
})

test('a helper that fails takes none of the calls, and is not started again', async () => {
  threads(2)
  const { Worker } = await vi.importActual<typeof import('node:worker_threads')>('node:worker_threads')
  const started: InstanceType<typeof Worker>[] = []
  vi.doMock('node:worker_threads', () => ({
    Worker: class extends Worker {
      constructor() {
        super('throw new Error("broken")', { eval: true })
        started.push(this)
      }
    },
  }))
  const work = await ones()
  expect(work()).toEqual({ own: 64, sums: new Set([1]) })
  await new Promise((resolve) => started[0]!.once('exit', resolve))
  expect(work()).toEqual({ own: 64, sums: new Set([1]) })
  expect(started).toHaveLength(1)
})

test('eigenpairs are the same to the last bit with one thread and with three', async () => {
  const solve = async (count: number) => {
    vi.resetModules()
    threads(count)
    const { clusteredFactors } = await import('../../../scripts/bench/clustered-factors.ts')
    const { graphOperator } = await import('../spectrum/graph-operator.ts')
    const { leadingEigenpairs } = await import('../spectrum/leading-eigenpairs.ts')
    const operator = graphOperator(clusteredFactors({ n: 2101, d: 500 }))
    expect(operator.form).toBe('implicit')
    return Array.from({ length: 3 }, () => leadingEigenpairs(operator, 3))
  }
  const [alone, together] = [await solve(1), await solve(3)]
  for (const [i, pairs] of together.entries()) expect(pairs).toEqual(alone[i])
})
