import { expect, test } from 'vitest'
import { createMeter } from '../../models/index.ts'
import { callCounts } from './call-counts.ts'

/** A call; `sent`: by whoever counts it. */
const call = (sent = 1) => ({
  calls: 1,
  promptTokens: 10,
  completionTokens: 2,
  milliseconds: 5,
  ...(sent === 0 ? { cached: 1 } : { sent, sentPromptTokens: 10, sentCompletionTokens: 2, sentMilliseconds: 5 }),
})

test('an index tells its calls while it is built; what was not counted at once is counted at its end', () => {
  const counts = callCounts()
  expect(counts.soFar()).toEqual({ sent: {}, cached: 0, indexes: [] })
  const index = counts.index('raptor')
  for (let n = 0; n < 20; n++) index.onUsage('index', call())
  const sent = { index: { calls: 20, promptTokens: 200, completionTokens: 40, embeddedTokens: 0, estimated: 0 } }
  expect(counts.soFar()).toEqual({ sent, cached: 0, indexes: [{ row: 'raptor', done: 20 }] })
  const meter = createMeter()
  for (let n = 0; n < 20; n++) meter.add('index', call())
  meter.add('index', { calls: 70, cached: 70 })
  index.end(meter)
  expect(counts.soFar()).toEqual({ sent, cached: 70, indexes: [] })
})

test('calls from the cache are told apart from those that were sent, and a trial is no index', () => {
  const counts = callCounts()
  const trial = counts.trial('a')
  trial.onUsage('answer', call(0))
  trial.onUsage('retrieve', call())
  expect(counts.soFar()).toMatchObject({ cached: 1, sent: { retrieve: { calls: 1 } }, indexes: [] })
})

test('calls that cannot be seen leave the indexes without a count', () => {
  const counts = callCounts(false)
  counts.index('raptor')
  expect(counts.soFar().indexes).toEqual([{ row: 'raptor' }])
})
