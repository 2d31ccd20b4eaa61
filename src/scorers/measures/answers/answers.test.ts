import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceF1, exactMatch, tokenF1 } from './token-f1.ts'
import { normaliseAnswer } from '../../../text/words.ts'
describe('normaliseAnswer', () => {
  test.each([
    ['The U.S. President!', 'us president', 'case, punctuation and articles go'],
    ['well-to-do a-list', 'welltodo alist', 'punctuation is deleted before articles are looked for'],
    ['the_end', 'theend', 'an underscore is punctuation'],
    ['ana año thé the', 'ana año thé', 'an article is a whole word of any letters'],
    ['a\u0301', '\u0301', 'a combining mark is no letter'],
    ['a² a１', 'a² a１', 'digits of every kind are part of a word'],
    ['«a» “the”', '« » “ ”', 'only ASCII punctuation goes'],
    ['x\u0085y\u001Cz\u3000w', 'x y z w', 'white space as Python has it'],
    ['x\uFEFFy\u200Bz', 'x\uFEFFy\u200Bz', 'and nothing more'],
    ['ÉTÉ ΣΟΣ', 'été σος', 'lower case of all letters'],
    [' a an the ', '', 'nothing may be left'],
  ])('%j gives %j: %s', (text, expected) => {
    expect(normaliseAnswer(text)).toBe(expected)
  })
})

describe('tokenF1', () => {
  test.each([
    ['cat', 'cat', 1],
    ['big cat', 'cat', 2 / 3],
    ['cat cat dog', 'cat dog dog', 2 / 3],
    ['cat', 'dog', 0],
    ['cat', '', 0],
    ['the', 'dog', 0],
    ['constructor __proto__', 'constructor', 2 / 3],
  ])('%j against %j is %d', (prediction, gold, expected) => {
    expect(tokenF1(prediction, gold, 1)).toBeCloseTo(expected, 12)
    expect(tokenF1(prediction, gold, 0)).toBeCloseTo(expected, 12)
  })

  test('two answers without a token: the evaluators disagree', () => {
    expect([tokenF1('', '', 0), tokenF1('the', 'a', 0), tokenF1('', '', 1), tokenF1('the', '?', 1)]).toEqual([
      0, 0, 1, 1,
    ])
  })

  const answer = fc.array(fc.constantFrom('cat', 'dog', 'a', 'the', 'purrs')).map((words) => words.join(' '))

  test('is symmetric, and not below the exact match except where both are empty', () => {
    fc.assert(
      fc.property(answer, answer, (one, other) => {
        expect(tokenF1(one, other, 0)).toBe(tokenF1(other, one, 0))
        expect(exactMatch(one, other)).toBeLessThanOrEqual(tokenF1(one, other, 1))
      }),
    )
  })

  test('knows no order', () => {
    fc.assert(
      fc.property(answer, answer, (one, other) => {
        expect(tokenF1(one.split(' ').reverse().join(' '), other, 0)).toBe(tokenF1(one, other, 0))
      }),
    )
  })
})

describe('evidenceF1', () => {
  test.each([
    [[], [], 1],
    [['p'], [], 0],
    [[], ['p'], 0],
    [['p', 'q'], ['p'], 2 / 3],
    [['p', 'p'], ['p'], 2 / 3],
    [['p'], ['p', 'p'], 2 / 3],
    [['p', 'q'], ['q', 'p'], 1],
  ])('%j against %j is %d', (predicted, gold, expected) => {
    expect(evidenceF1(predicted, gold)).toBeCloseTo(expected, 12)
  })
})
