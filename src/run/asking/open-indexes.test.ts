import { expect, test } from 'vitest'
import { createMeter } from '../../models/index.ts'
import { noUsage } from '../../models/meter.ts'
import type { BuiltIndex } from './build-index.ts'
import { openIndexes } from './jobs.ts'

const head = { line: 'index', id: 'i', method: 'm', variant: '', methodId: 'm', corpus: 'c' } as const
const line = { ...head, documents: 1, chunks: 1, usage: noUsage }

/** An index that tells when it is closed. */
const built = (name: string, closed: string[], drew = false): BuiltIndex => ({
  drew,
  line,
  meter: createMeter(),
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
  const [first, again] = open.share([2, 1])
  const [other] = open.share([2])
  if (!first || !again || !other) throw new Error('a share is missing')
  const [a, b] = [built('a', closed), built('b', closed)]
  // two repeats that ask one index
  expect(first.keep(a)).toBe(a)
  again.keep(a)
  other.keep(b)
  await first.done()
  await first.done()
  expect(closed).toEqual([])
  await again.done()
  expect(closed).toEqual(['a'])
  await other.done()
  await open.close()
  await open.close()
  expect(closed).toEqual(['a', 'b'])
})

test('an index of one repeat is closed when that is done', async () => {
  const closed: string[] = []
  const [first, second] = openIndexes().share([1, 1])
  first?.keep(built('a', closed, true))
  second?.keep(built('b', closed, true))
  await first?.done()
  expect(closed).toEqual(['a'])
})
