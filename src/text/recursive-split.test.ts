import { expect, test } from 'vitest'
import { recursiveSplit } from './recursive-split.ts'

const split = (text: string, size: number, overlap = 0) =>
  recursiveSplit(text, { size, overlap }).map(({ start, end }) => text.slice(start, end))

// what langchain-text-splitters 0.3 gives, worked out by its steps
test.each([
  ['foo bar baz 123', 8, 4, ['foo bar', 'bar baz', 'baz 123']],
  ['one two\n\nthree four\n\nfive', 12, 0, ['one two', 'three four', 'five']],
  ['one two\n\nthree four\n\nfive', 20, 0, ['one two\n\nthree four', 'five']],
  ['abcdefghij', 4, 1, ['abcd', 'defg', 'ghij']],
  ['a\nlonger line here\n\nb', 8, 0, ['a', 'longer', 'line', 'here', 'b']],
  ['  \n\n ', 5, 0, []],
  ['', 5, 0, []],
])('%j in pieces of %i with %i repeated', (text, size, overlap, pieces) => {
  expect(split(text, size, overlap)).toEqual(pieces)
})

test('pieces are within the size and keep every word', () => {
  const text = Array.from(
    { length: 300 },
    (_, i) => `word${i}${i % 40 === 0 ? '\n\n' : i % 9 === 0 ? '\n' : ' '}`,
  ).join('')
  const pieces = split(text, 100, 20)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(100)
  expect(new Set(pieces.flatMap((piece) => piece.split(/\s+/)))).toEqual(new Set(text.trim().split(/\s+/)))
})

test('keeps surrogate pairs together; rejects an overlap as large as the size', () => {
  expect(split('😀😀😀', 2, 0)).toEqual(['😀', '😀', '😀'])
  expect(() => split('a', 5, 5)).toThrow('an overlap of 5 does not fit into 5')
})
