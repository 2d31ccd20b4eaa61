import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMeter, noUsage } from './meter.ts'

test('phases are metered apart', () => {
  const meter = createMeter()
  meter.add('index', { calls: 1, promptTokens: 10, cached: 1, milliseconds: 2.5, clean: 1 })
  meter.add('index', { calls: 2, completionTokens: 4 })
  meter.add('judge', { calls: 5 })
  expect(meter.spent('index')).toEqual({
    ...noUsage,
    calls: 3,
    promptTokens: 10,
    completionTokens: 4,
    cached: 1,
    milliseconds: 2.5,
    clean: 1,
  })
  expect(meter.spent('judge')).toEqual({ ...noUsage, calls: 5 })
  expect(meter.spent('answer')).toEqual(noUsage)
})

test('what goes into results holds nothing that depends on the machine', () => {
  const meter = createMeter()
  meter.add('answer', { calls: 1, cached: 1, milliseconds: 3, embeddedTokens: 2, estimated: 1 })
  expect(meter.usage('answer')).toEqual({
    calls: 1,
    promptTokens: 0,
    completionTokens: 0,
    embeddedTokens: 2,
    estimated: 1,
  })
})

test('what replies lacked goes into results where there is something to say', () => {
  const meter = createMeter()
  meter.add('index', { calls: 3, clean: 1, failed: 1, cut: 2, partial: 1, skippedItems: 4 })
  const tokens = { promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
  expect(meter.usage('index')).toEqual({ calls: 3, ...tokens, cut: 2, partial: 1, skippedItems: 4 })
})

test('usages add up in any order', () =>
  fc.assert(
    fc.property(fc.array(fc.record({ calls: fc.nat(9), milliseconds: fc.nat(9999).map((n) => n / 100) })), (usages) => {
      const [meter, backwards] = [createMeter(), createMeter()]
      for (const usage of usages) meter.add('index', usage)
      for (const usage of usages.toReversed()) backwards.add('index', usage)
      expect(meter.spent('index')).toEqual(backwards.spent('index'))
    }),
  ))
