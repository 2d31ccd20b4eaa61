import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenizer } from '../../text/tokens.ts'
import { cutSummary } from './longest-start.ts'

const { count } = tokenizer('cl100k_base')
const cut = (text: string, tokens: number) => cutSummary(text, tokens, count)

test.each([
  [100, 'The mill burnt. Dr. Vale built it anew.', 'The mill burnt. Dr. Vale built it anew.'],
  [8, 'The mill burnt. Dr. Vale built it anew.', 'The mill burnt.'],
  [3, 'The mill burnt. Dr. Vale built it anew.', 'The mill burnt'],
  // a token is less than a character
  [1, '𒀀𒀁', '𒀀'],
])('in %d tokens, %j is %j', (tokens, text, expected) => {
  expect(cut(text, tokens)).toEqual({ text: expected, cut: expected !== text })
})

test('a cut summary fits the limit, is a prefix of the reply, and is never empty', () => {
  const word = fc.constantFrom('mill', 'Dr.', 'oats.', '1903.', '粉粉粉。', '👩‍👩‍👧', '\n\n', 'x'.repeat(40))
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 1, max: 40 }), (words, tokens) => {
      const whole = words.join(' ').trim() || 'mill'
      const { text, cut: isCut } = cut(whole, tokens)
      expect(whole.startsWith(text)).toBe(true)
      expect(text.trim()).not.toBe('')
      expect(isCut).toBe(count(whole) > tokens)
      if (Array.from(text).length > 1) expect(count(text)).toBeLessThanOrEqual(tokens)
    }),
  )
})
