import fc from 'fast-check'
import { expect, test } from 'vitest'
import { occurrences } from '../../text/characters.ts'
import { answerSpan, locateAnswer } from './answer-span.ts'

test.each<[string, string, string, number, [number, number, boolean] | undefined]>([
  ['at its offset', 'an answer here', 'answer', 3, [3, 9, false]],
  ['one sign off', 'an answer here', 'answer', 4, [3, 9, true]],
  ['the second of two is meant', 'one two one two', 'one', 8, [8, 11, false]],
  ['the nearest of two', 'one two one two', 'one', 7, [8, 11, true]],
  ['the earlier of two equally near', 'one  one', 'one', 2, [0, 3, true]],
  ['other white space', 'a long\n\n  answer', 'long answer', 2, [2, 16, true]],
  ['white space at its ends', 'an answer', ' answer\n', 3, [3, 9, true]],
  ['at its offset in other white space', 'a long\nanswer', 'long answer', 2, [2, 13, true]],
  ['signs that mean something to a pattern', 'p (a+b)* [c] \\', '(a+b)* [c] \\', 0, [2, 14, true]],
  ['an offset beyond the end', 'an answer', 'answer', 99, [3, 9, true]],
  ['an offset that counts code points', '😀😀 answer', 'answer', 3, [5, 11, false]],
  ['nowhere', 'an answer', 'reply', 0, undefined],
])('%s', (_, text, answer, offset, expected) => {
  const [start, end, isRepaired] = expected ?? []
  expect(answerSpan(text, { answer, offset })).toEqual(expected && { start, end, isRepaired })
})

test('finds an answer of the text for any offset', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.nat(50), (before, answer, after, offset) => {
      fc.pre(answer.trim() !== '')
      const text = before + answer + after
      const { start, end } = answerSpan(text, { answer, offset })!
      expect(text.slice(start, end).trim().split(/\s+/)).toEqual(answer.trim().split(/\s+/))
    }),
  )
})

test.each<[string, string, number, { text: string; start: number } | undefined, string[]]>([
  ['its paragraph', 'word', 4, { text: 'The word.', start: 0 }, []],
  ['its paragraph, though the offset was wrong', 'word', 0, { text: 'The word.', start: 0 }, ['repaired-offset']],
  ['all that it reaches into', 'word.\n\n  Another', 4, { text: 'The word.\n\n  Another one', start: 0 }, []],
  ['only what it lies in, and where that begins', 'one', 21, { text: 'Another one', start: 13 }, []],
  ['none when it is nowhere', 'two', 4, undefined, ['lost-answer']],
])('evidence is %s', (_, answer, offset, quotes, tags) => {
  const location = locateAnswer({ id: 'd', text: 'The word.\n\n  Another one\n \nLast.' }, { answer, offset })
  expect(location).toEqual({ ...(quotes && { evidence: { documentId: 'd', ...quotes } }), tags })
})

test.each<[string, string, number[]]>([
  ['abcabc', 'bc', [1, 4]],
  ['aaaaa', 'aa', [0, 2]],
  ['abababc', 'ababc', [2]],
  ['abc', 'd', []],
  ['abc', '', []],
  ['', 'a', []],
])('in %j, finds %j at %j', (text, pattern, at) => {
  expect(occurrences(text, pattern)).toEqual(at)
})
