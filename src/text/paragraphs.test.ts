import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paragraphKey, paragraphs } from './paragraphs.ts'

describe('paragraphs', () => {
  test.each([
    ['one\n\ntwo', ['one', 'two']],
    ['one\nstill one\n \t\n\n\n  two  ', ['one\nstill one', 'two']],
    ['one\r\n\r\ntwo\r\n', ['one', 'two']],
    ['\n\n  \n', []],
    ['', []],
    ['one', ['one']],
  ])('%j', (text, expected) => {
    expect(paragraphs(text).map((paragraph) => paragraph.text)).toEqual(expected)
  })

  test('offsets give the text back, in order, without blank lines inside', () => {
    const texts = fc.array(fc.constantFrom('a', ' ', '\n', '\t', '🐈', '\r\n')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const found = paragraphs(text)
        for (const { text: part, start, end } of found) {
          expect(text.slice(start, end)).toBe(part)
          expect(part).toBe(part.trim())
          expect(part).not.toMatch(/\n\s*\n/)
        }
        expect(
          found
            .map(({ text: part }) => part)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''))
      }),
    )
  })

  test('a key is 16 hex digits of the SHA-256, whatever white space stands around', () => {
    expect(paragraphKey('abc')).toBe('ba7816bf8f01cfea')
    expect(paragraphKey(' abc\n')).toBe(paragraphKey('abc'))
  })
})
