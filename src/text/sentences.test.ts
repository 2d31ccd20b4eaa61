import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paragraphKey, paragraphs, sentences } from './sentences.ts'

const split = (text: string) => sentences(text).map((sentence) => sentence.text)

describe('ends and does not end', () => {
  test.each<[string, string[]]>([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Smith met Mrs. Jones. They left.', ['Dr. Smith met Mrs. Jones.', 'They left.']],
    ['Use a tool, e.g. Unicode, i.e. ICU. Done.', ['Use a tool, e.g. Unicode, i.e. ICU.', 'Done.']],
    ['See No. 7 and Fig. 3a (pp. 12). End.', ['See No. 7 and Fig. 3a (pp. 12).', 'End.']],
    ['I said no. Then I left.', ['I said no.', 'Then I left.']],
    ['By J. R. R. Tolkien. Good.', ['By J. R. R. Tolkien.', 'Good.']],
    ['So did I. Nobody saw.', ['So did I.', 'Nobody saw.']],
    ['Smith et al. (2019) agree. Lee et al. The end.', ['Smith et al. (2019) agree.', 'Lee et al.', 'The end.']],
    ['Smith et al. Nature 4, p. 9.', ['Smith et al. Nature 4, p. 9.']],
    [
      'The U.S. Senate met. He left the U.S. They cheered.',
      ['The U.S. Senate met.', 'He left the U.S.', 'They cheered.'],
    ],
    ['On Jan. 5 it rained. He came in Jan. She left.', ['On Jan. 5 it rained.', 'He came in Jan.', 'She left.']],
    ['It cost 3.50 dollars. Cheap.', ['It cost 3.50 dollars.', 'Cheap.']],
    ['"Hello!" she said. "Go."', ['"Hello!" she said.', '"Go."']],
    ['1. First thing. 2. Second thing.', ['1. First thing.', '2. Second thing.']],
    ['你好。再见！', ['你好。', '再见！']],
    ['Wait... What?', ['Wait...', 'What?']],
  ])('%s', (text, expected) => expect(split(text)).toEqual(expected))
})

describe('lines', () => {
  test.each<[string, string[]]>([
    ['A hard\nwrapped line. Next\r\none.', ['A hard\nwrapped line.', 'Next\r\none.']],
    ['A title\n\nA text', ['A title', 'A text']],
    ['Dr.\n\nSmith', ['Dr.', 'Smith']],
    ['no stop\r\n \r\nlower case', ['no stop', 'lower case']],
    ['Two things:\n- one\n- two', ['Two things:', '- one', '- two']],
    ['Steps\n1. Open it\n2. Close it', ['Steps', '1. Open it', '2. Close it']],
    [' \n\t ', []],
    ['', []],
  ])('%j', (text, expected) => expect(split(text)).toEqual(expected))
})

test('the spans lie in order, quote the text, and leave out nothing but white space', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'Dr. ',
      'e.g. ',
      'A. ',
      '\n\n',
      '\r\n',
      '\n',
      ' ',
      'The end. ',
      '- ',
      '1. ',
      '👩‍👩‍👧',
      '\uD800',
      '。',
      '…',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      let from = 0
      for (const { text: sentence, start, end } of sentences(text)) {
        expect(text.slice(from, start).trim()).toBe('')
        expect(text.slice(start, end)).toBe(sentence)
        expect(sentence.trim()).toBe(sentence)
        expect(sentence).not.toBe('')
        from = end
      }
      expect(text.slice(from).trim()).toBe('')
    }),
  )
})

test.each(['a', 'A. ', ' ', '\n', '. ', '1. ', 'Dr. ', '\n '])('300 kB of %j are read', (piece) => {
  const text = piece.repeat(Math.ceil(300_000 / piece.length))
  expect(
    sentences(text)
      .map((sentence) => sentence.text)
      .join('').length,
  ).toBeLessThanOrEqual(text.length)
})

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
