import { expect, test } from 'vitest'
import { floatField, integerField, joined, messageField, textField } from './protobuf.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test.each([
  // the first three are the examples of the encoding's guide
  { name: 'a number of two bytes', bytes: integerField(1, 150), expected: '089601' },
  { name: 'a string', bytes: textField(2, 'testing'), expected: '120774657374696e67' },
  { name: 'a message in a message', bytes: messageField(3, [integerField(1, 150)]), expected: '1a03089601' },
  { name: 'zero', bytes: integerField(1, 0), expected: '0800' },
  { name: 'a number that ends with its seventh bit', bytes: integerField(1, 127), expected: '087f' },
  { name: 'a negative number', bytes: integerField(1, -1), expected: '08ffffffffffffffffff01' },
  { name: 'a number above 32 bits', bytes: integerField(1, 2 ** 40), expected: '08808080808020' },
  { name: 'a field above 15', bytes: integerField(20, 1), expected: 'a00101' },
  { name: 'a float', bytes: floatField(2, 1.5), expected: '150000c03f' },
  { name: 'a string in UTF-8', bytes: textField(1, 'ä'), expected: '0a02c3a4' },
  {
    name: 'a long message',
    bytes: messageField(1, [textField(1, 'a'.repeat(200))]).slice(0, 6),
    expected: '0acb010ac801',
  },
  { name: 'a list', bytes: joined([1, 2].map((value) => integerField(8, value))), expected: '40014002' },
  { name: 'nothing', bytes: joined([]), expected: '' },
])('$name', ({ bytes, expected }) => {
  expect(hex(bytes)).toBe(expected)
})
