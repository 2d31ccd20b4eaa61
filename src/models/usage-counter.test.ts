import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUsageCounter } from './usage-counter.ts'

test('has in results no number that depends on the machine, and no counter of deficient replies at zero', () => {
  const counter = createUsageCounter()
  counter.add('index', {
    calls: 3,
    clean: 1,
    failed: 1,
    cut: 2,
    partial: 1,
    skippedItems: 4,
    cached: 1,
    milliseconds: 3,
  })
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
