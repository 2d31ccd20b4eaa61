import fc from 'fast-check'
import { expect, test } from 'vitest'
import { malformedAt } from './json-records.ts'

test.each([
  ['{"a":x}', 5],
  ['{"a":}', 5],
  ['{a:1}', 1],
  ['{"a" 1}', 5],
  ['{"a":1 "b":2}', 7],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['{"a":NaN}', 5],
  ['{"a":01}', 5],
  ['{"a":"b\nc"}', 5],
  ['{"a":"\\x"}', 5],
  ["{'a':1}", 1],
  ['{"a":1}}', 7],
  ['{"a":[1,2}', 9],
  ['{"a":true1}', 5],
])('%j breaks at %i', (text, at) => {
  expect(() => JSON.parse(text) as unknown).toThrow()
  expect(malformedAt(text)).toBe(at)
})

test.each(['{"a":1', '{"a":', '[1,2', '{'])('%j ends too early', (text) => {
  expect(malformedAt(text)).toBe(text.length)
})

test('well-formed JSON is read to its end', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = ` ${JSON.stringify(value, null, indent)}\r\n`
      expect(malformedAt(text)).toBe(text.length)
    }),
  )
})
