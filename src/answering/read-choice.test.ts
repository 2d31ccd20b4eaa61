import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChoice } from './read-choice.ts'

const lamps = ['A lamp', 'The old lighthouse', 'A boat', 'The lighthouse']

describe('readChoice', () => {
  test.each([
    ['2', 1],
    [' 3.', 2],
    ['(B)', 1],
    ['b', 1],
    ['**C**', 2],
    ['D) The lighthouse', 3],
    ['4: because of the keeper', 3],
    ['Answer: 2', 1],
    ['The answer is (C).', 2],
    ['The correct answer is option 4', 3],
    ['I would choose B, since the text says so', 1],
    ['the answer is a boat', 2],
    ['A boat', 2],
    ['a boat.', 2],
    ['It was the old lighthouse that burned', 1],
    ['Option 1 is wrong', 0],
    ['In 1876 they built 2 of them', 1],
    ['The text says 3', 2],
    ['', null],
    ['7', null],
    ['0', null],
    ['I do not know', null],
    ['A boat or a lamp', null],
    ['Both the lighthouse and a boat', null],
    ['A man went home', null],
    ['Version 2.5 is out', null],
    ['I cannot answer', null],
  ])('%j means %j', (reply, expected) => {
    expect(readChoice(reply, lamps)).toBe(expected)
  })

  test('the words of an option win over a number inside them', () => {
    expect(readChoice('3 ships', ['1 ship', '2 ships', 'none', '3 ships'])).toBe(3)
  })

  test('options with equal text: the first', () => {
    expect(readChoice('same', ['same', 'same'])).toBe(0)
  })

  test('never leaves the range, never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (reply, options) => {
        const choice = readChoice(reply, options)
        return choice === null || (choice >= 0 && choice < options.length)
      }),
    )
  })
})
