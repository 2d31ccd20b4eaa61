import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenizer, tokenizerNames } from './tokens.ts'
const encoder = new TextEncoder()

test.each([
  ['o200k_base', 'hello world', [24912, 2375]],
  ['cl100k_base', 'hello world', [15339, 1917]],
] as const)('%s encodes %j', (name, text, tokens) => expect(tokenizer(name).encode(text)).toEqual(tokens))

describe.each(tokenizerNames)('%s', (name) => {
  const { encode, decode, count, bytes } = tokenizer(name)

  test('encodes special marks as plain text', () => {
    const text = 'a <|endoftext|> b <|im_start|>'
    expect(decode(encode(text))).toBe(text)
    expect(count(text)).toBeGreaterThan(6)
  })

  test('round-trips every text, and counts its tokens and bytes', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\uFEFF', '👩‍👩‍👧', '\r\n', 'e\u0301', '漢字', 'the '),
      fc.constantFrom('\n', '\n\n', ' \n', '\t', ' ', '.', '--\n', '/', '7', '1234', 'A', "'s"),
      fc.constantFrom('\u0301', '\u2028', '\u00A0'),
      fc.constantFrom('x'.repeat(401), ' \n'.repeat(300), '-'.repeat(450)),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const tokens = encode(text)
        // a lone surrogate has no UTF-8 and comes back as U+FFFD
        expect(decode(tokens)).toBe(Buffer.from(text).toString())
        expect(count(text)).toBe(tokens.length)
        expect(tokens.reduce((sum, token) => sum + bytes(token), 0)).toBe(encoder.encode(text).length)
      }),
    )
  })

  test('an incomplete character does not affect the next decoding', () => {
    const [first = 0, ...rest] = encode('𠮷')
    expect(rest.length).toBeGreaterThan(0)
    expect(decode([first])).toBe('\uFFFD')
    expect(decode(encode('né'))).toBe('né')
  })

  test.each(['a', '漢', '👩', '=', ' ', '\n', 'ก'])('encodes a run of 300 kB of %j', (sign) => {
    const text = sign.repeat(100_000)
    expect(decode(encode(text))).toBe(text)
  })
})
