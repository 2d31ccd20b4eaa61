import { expect, test } from 'vitest'
import { createMeter } from '../../models/index.ts'
import { noUsage } from '../../models/meter.ts'
import type { BuiltIndex } from './build-index.ts'
import { openIndexes } from './jobs.ts'

const head = { line: 'index', id: 'i', method: 'm', variant: '', methodId: 'm', corpus: 'c' } as const
const line = { ...head, documents: 1, chunks: 1, usage: noUsage }

/** An index that tells when it is closed. */
const built = (name: string, closed: string[]): BuiltIndex => ({
  ...{ drew: false, line, meter: createMeter() },
  index: {
    retrieve: async () => [],
    async close() {
      closed.push(name)
    },
  },
})

test('indexes are closed once, when the last job on them is done, and the rest at the end', async () => {
  const closed: string[] = []
  const open = openIndexes()
  const [first, second] = [open.share(3), open.share(2)]
  const [a, b] = [built('a', closed), built('b', closed)]
  // two repeats that ask one index
  expect(first.keep(first.keep(a))).toBe(a)
  second.keep(b)
  await first.done()
  await first.done()
  expect(closed).toEqual([])
  await first.done()
  expect(closed).toEqual(['a'])
  await second.done()
  await open.close()
  await open.close()
  expect(closed).toEqual(['a', 'b'])
})
