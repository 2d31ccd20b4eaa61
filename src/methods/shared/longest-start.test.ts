import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenizer, tokenizerNames } from '../../text/tokens.ts'
import { longestStart } from './longest-start.ts'

/** By halving alone, every start counted as a whole. */
function byHalving(text: string, tokens: number, count: (text: string) => number): string {
  const characters = Array.from(text)
  let [fits, tooLong] = [0, characters.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >>> 1
    if (count(characters.slice(0, middle).join('')) <= tokens) fits = middle
    else tooLong = middle
  }
  return characters.slice(0, fits).join('')
}

const pieces = [
  'word',
  "it's",
  ' ',
  '  ',
  ' \n',
  'ß',
  '灯塔',
  '🙂',
  'aaaa',
  '12345',
  '...',
  'Ab',
  '\u0301',
  'HTTPServer',
  ' the',
]

test.each(tokenizerNames)('equals a search that counts every prefix anew (%s)', (name) => {
  const count = (text: string) => tokenizer(name).count(text)
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 60 }),
      (some, tokens, times) => {
        const text = some.join('').repeat(times)
        expect(longestStart(text, tokens, count)).toBe(byHalving(text, tokens, count))
      },
    ),
    { numRuns: 300, seed: 1 },
  )
})

test('counts no more of a text 1000 times too long than of one 10 times too long', () => {
  const { count } = tokenizer('o200k_base')
  const counted = (words: number) => {
    let characters = 0
    longestStart('some words '.repeat(words), 1000, (text) => {
      characters += text.length
      return count(text)
    })
    return characters
  }
  expect(counted(500_000)).toBeLessThan(1.5 * counted(5000))
})
