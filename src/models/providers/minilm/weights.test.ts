import { expect, test } from 'vitest'
import { readSafetensors } from './encoder.ts'

function file(header: unknown, data: number): Uint8Array {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Buffer.concat([length, json, Buffer.alloc(data)])
}

const tensor = (shape: number[], from: number, to: number) => ({ dtype: 'F16', shape, data_offsets: [from, to] })

test('tensors are found by name, with their place counted from the beginning of the file', () => {
  const header = { __metadata__: { format: 'pt' }, a: tensor([2, 3], 0, 12), b: tensor([], 12, 14) }
  const start = 8 + JSON.stringify(header).length
  expect([...readSafetensors(file(header, 14))]).toEqual([
    ['a', { dtype: 'F16', shape: [2, 3], offset: start, bytes: 12 }],
    ['b', { dtype: 'F16', shape: [], offset: start + 12, bytes: 2 }],
  ])
})

test('a file inside a larger buffer is read from its own beginning', () => {
  const inner = file({ a: tensor([1], 0, 2) }, 2)
  const outer = new Uint8Array(inner.length + 5)
  outer.set(inner, 5)
  expect(readSafetensors(outer.subarray(5))).toEqual(readSafetensors(inner))
})

test.each([
  ['a tensor beyond the end', file({ a: tensor([2], 0, 4) }, 2)],
  ['a tensor that ends before it begins', file({ a: tensor([2], 4, 0) }, 8)],
  ['a tensor without a place', file({ a: { dtype: 'F16', shape: [1] } }, 2)],
  ['a header that is no JSON', Uint8Array.from([3, 0, 0, 0, 0, 0, 0, 0, 123, 123, 123])],
  ['nothing', new Uint8Array()],
])('%s is refused', (_, bytes) => {
  expect(() => readSafetensors(bytes)).toThrow()
})
