import fc from 'fast-check'
import { expect, test } from 'vitest'
import { occurrences } from './occurrences.ts'

test.each<[string, string, number[]]>([
  ['abcabc', 'bc', [1, 4]],
  ['aaaaa', 'aa', [0, 2]],
  ['abababc', 'ababc', [2]],
  ['abc', 'd', []],
  ['abc', '', []],
  ['', 'a', []],
])('%j holds %j at %j', (text, pattern, at) => {
  expect(occurrences(text, pattern)).toEqual(at)
})

test('finds what a regular expression finds', () => {
  const unit = fc.constantFrom('a', 'b', ' ')
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 60 }),
      fc.string({ unit, minLength: 1, maxLength: 6 }),
      (text, pattern) => {
        expect(occurrences(text, pattern)).toEqual(
          [...text.matchAll(new RegExp(pattern, 'g'))].map(({ index }) => index),
        )
      },
    ),
  )
})
