import { expect, test } from 'vitest'
import { callCounts } from './progress.ts'

/** A call; `sent`: by whoever counts it. */
const call = (sentCalls = 1) => ({
  calls: 1,
  promptTokens: 10,
  completionTokens: 2,
  milliseconds: 5,
  ...(sentCalls === 0 ? { cached: 1 } : { sent: sentCalls, sentPromptTokens: 10, sentCompletionTokens: 2 }),
})

test('the calls of an index are shown while it is built and counted after that', async () => {
  const counts = callCounts()
  expect(counts.soFar()).toEqual({ sentUsage: {}, cached: 0, indexes: [] })
  const sentCalls = { index: { calls: 20, promptTokens: 200, completionTokens: 40, embeddedTokens: 0, estimated: 0 } }
  await counts.index('raptor', async (onUsage) => {
    expect(counts.soFar().indexes).toEqual([{ row: 'raptor' }])
    for (let n = 0; n < 20; n++) onUsage('index', call())
    expect(counts.soFar()).toEqual({ sentUsage: sentCalls, cached: 0, indexes: [{ row: 'raptor', callsDone: 20 }] })
  })
  expect(counts.soFar()).toEqual({ sentUsage: sentCalls, cached: 0, indexes: [] })
})

test('cached calls and sent calls have separate counts', () => {
  const counts = callCounts()
  counts.onUsage('answer', call(0))
  counts.onUsage('retrieve', call())
  expect(counts.soFar()).toMatchObject({ cached: 1, sentUsage: { retrieve: { calls: 1 } }, indexes: [] })
})
