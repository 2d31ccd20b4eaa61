import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { embedCalls, exactly, noCalls } from '../../math/expected.ts'
import { createMeter } from '../../models/index.ts'
import { callCounts, plannedCalls } from './call-counts.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const completing = (calls: number, once?: string) => ({
  ...{ ...noCalls, calls: exactly(calls) },
  ...(once !== undefined && { once }),
})

/** A call that took so many milliseconds; `sent`: by whoever counts it. */
const call = (milliseconds: number, sent = 1) => ({
  ...{ calls: 1, promptTokens: 10, completionTokens: 2, milliseconds },
  ...(sent === 0
    ? { cached: 1 }
    : { sent, sentPromptTokens: 10, sentCompletionTokens: 2, sentMilliseconds: milliseconds }),
})

const planned = (calls: number) => ({ all: calls, ahead: { complete: calls, embed: 0 } })

test('an index tells its calls done and planned; the time left is that of the calls ahead, as many at once as there were', () => {
  const counts = callCounts(10)
  const row = counts.plan({
    row: 'raptor',
    jobs: { index: 1, trial: 10 },
    calls: { index: planned(100), trial: planned(10) },
  })
  expect(counts.soFar()).toEqual({ sent: {}, cached: 0, indexes: [], secondsLeft: null })
  const index = row.index()
  // 20 calls of 2 s, four at once
  for (let round = 0; round < 5; round++) {
    vi.advanceTimersByTime(2000)
    for (let n = 0; n < 4; n++) index.onUsage('index', call(2000))
  }
  const { secondsLeft, ...rest } = counts.soFar()
  expect(rest).toEqual({
    sent: { index: { calls: 20, promptTokens: 200, completionTokens: 40, embeddedTokens: 0, estimated: 0 } },
    cached: 0,
    indexes: [{ row: 'raptor', done: 20, planned: 100 }],
  })
  // 80 calls of the index and 10 of the trials
  expect(secondsLeft).toBeCloseTo((90 * 2) / 4, 5)
  const meter = createMeter()
  for (let n = 0; n < 20; n++) meter.add('index', call(2000))
  meter.add('index', { calls: 70, cached: 70, milliseconds: 140_000 })
  index.end(meter)
  // what was not counted at once is counted at the end, and an index that made fewer calls than planned is done
  expect(counts.soFar()).toMatchObject({ indexes: [], cached: 70, sent: { index: { calls: 20 } } })
  expect(counts.soFar().secondsLeft).toBeLessThan(8)
})

test('calls from the cache are told apart, and take no time', () => {
  const counts = callCounts(2)
  const row = counts.plan({ row: 'a', jobs: { index: 1, trial: 2 }, calls: { index: planned(50), trial: planned(2) } })
  const index = row.index()
  for (let n = 0; n < 50; n++) index.onUsage('index', call(3000, 0))
  expect(counts.soFar()).toMatchObject({ cached: 50, sent: {}, secondsLeft: null })
  index.end(createMeter())
  const first = row.trial()
  vi.advanceTimersByTime(1000)
  first.onUsage('answer', call(1000))
  first.end(createMeter())
  expect(counts.soFar().secondsLeft).toBeCloseTo(1, 5)
  // a trial that fails has no call ahead either
  row.trial().end(createMeter())
  expect(counts.soFar().secondsLeft).toBe(0)
})

test('corpora that are not planned yet are taken to be like those that are; a row that cannot be foreseen has no time left', () => {
  const counts = callCounts(30)
  const row = counts.plan({ row: 'a', jobs: { index: 0, trial: 10 }, calls: { index: planned(0), trial: planned(10) } })
  for (let n = 0; n < 10; n++) {
    vi.advanceTimersByTime(1000)
    const trial = row.trial()
    trial.onUsage('answer', call(1000))
    trial.end(createMeter())
  }
  expect(counts.soFar().secondsLeft).toBeCloseTo(20, 5)
  counts.plan({ row: 'b', jobs: { index: 1, trial: 20 }, calls: { index: undefined, trial: undefined } })
  expect(counts.soFar().secondsLeft).toBeNull()
})

test('calls that rows share are ahead once, and counted for each; embedding is measured in tokens', () => {
  const seen = new Set<string>()
  const calls = [completing(10, 'facts'), completing(4), embedCalls(exactly(2), exactly(500))]
  expect(plannedCalls(calls, 1, seen)).toEqual({ all: 16, ahead: { complete: 14, embed: 500 } })
  expect(plannedCalls(calls, 3, seen)).toEqual({ all: 48, ahead: { complete: 12, embed: 1500 } })
  expect(plannedCalls(undefined, 1, seen)).toBeUndefined()
})
