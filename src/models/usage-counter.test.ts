import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUsageCounter, zeroUsage } from './usage-counter.ts'

test('counts usage by phase', () => {
  const counter = createUsageCounter()
  counter.add('index', { calls: 1, promptTokens: 10, cached: 1, milliseconds: 2.5, clean: 1 })
  counter.add('index', { calls: 2, completionTokens: 4 })
  counter.add('judge', { calls: 5 })
  expect(counter.totals('index')).toEqual({
    ...zeroUsage,
    calls: 3,
    promptTokens: 10,
    completionTokens: 4,
    cached: 1,
    milliseconds: 2.5,
    clean: 1,
  })
  expect(counter.totals('judge')).toEqual({ ...zeroUsage, calls: 5 })
  expect(counter.totals('answer')).toEqual(zeroUsage)
})

test('excludes numbers that depend on the machine from results', () => {
  const counter = createUsageCounter()
  counter.add('answer', { calls: 1, cached: 1, milliseconds: 3, embeddedTokens: 2, estimated: 1 })
  expect(counter.usage('answer')).toEqual({
    calls: 1,
    promptTokens: 0,
    completionTokens: 0,
    embeddedTokens: 2,
    estimated: 1,
  })
})

test('includes counters of deficient replies only if they are not zero', () => {
  const counter = createUsageCounter()
  counter.add('index', { calls: 3, clean: 1, failed: 1, cut: 2, partial: 1, skippedItems: 4 })
  const tokens = { promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
  expect(counter.usage('index')).toEqual({ calls: 3, ...tokens, cut: 2, partial: 1, skippedItems: 4 })
})

test('sums usage independent of order', () =>
  fc.assert(
    fc.property(fc.array(fc.record({ calls: fc.nat(9), milliseconds: fc.nat(9999).map((n) => n / 100) })), (usages) => {
      const [counter, backwards] = [createUsageCounter(), createUsageCounter()]
      for (const usage of usages) counter.add('index', usage)
      for (const usage of usages.toReversed()) backwards.add('index', usage)
      expect(counter.totals('index')).toEqual(backwards.totals('index'))
    }),
  ))
