import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenizer } from '../../text/tokens.ts'
import { cutSummary } from './longest-start.ts'

const { count } = tokenizer('cl100k_base')
const cut = (text: string, tokens: number) => cutSummary(text, tokens, count)

describe('a summary longer than its tokens', () => {
  const text = 'The mill burnt down in 1903. Dr. Vale built it anew. It grinds oats.'

  test.each([
    [count(text), text, false],
    [count(text) - 1, 'The mill burnt down in 1903. Dr. Vale built it anew.', true],
    [12, 'The mill burnt down in 1903.', true],
    [3, 'The mill burnt', true],
  ])('in %d tokens', (tokens, expected, isCut) => {
    expect(cut(text, tokens)).toEqual({ text: expected, cut: isCut })
  })

  test('keeps one character if a token is less than a character', () => {
    expect(cut('𒀀𒀁', 1)).toEqual({ text: '𒀀', cut: true })
  })

  test('fits the limit, is a prefix of the reply, and is never empty', () => {
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
})
