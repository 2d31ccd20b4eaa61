import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UserError } from '../errors.ts'
import { tokenizer, tokenStarts } from '../text/tokens.ts'
import type { Chunk } from '../types.ts'
import { chunk, type ChunkOptions } from './index.ts'
const o200k = tokenizer('o200k_base')
const cut = (text: string, options: ChunkOptions): Chunk[] => chunk({ id: 'd', text }, 0, options, o200k)
const texts = (text: string, options: ChunkOptions): string[] => cut(text, options).map((one) => one.text)
/** So many words of one token each. */
const wordsOf = (count: number): string => ' the'.repeat(count)

describe('by tokens', () => {
  test.each([
    [1500, 1],
    [1501, 2],
    [1500 + 1372, 2],
    [1500 + 1373, 3],
    [1, 1],
  ])('windows of 1500 that share 128: %i tokens are %i chunks', (count, chunks) => {
    const found = cut(wordsOf(count), { by: 'tokens', size: 1500, overlap: 128 })
    expect(found).toHaveLength(chunks)
    expect(found.map(({ tokens }) => tokens)).toEqual(found.map((_, i) => Math.min(1500, count - i * (1500 - 128))))
  })

  test('a chunk in full', () => {
    const document = { id: 'paper', text: wordsOf(5) }
    expect(chunk(document, 12, { by: 'tokens', size: 3, overlap: 1 }, o200k)).toEqual([
      { id: '000012:000000', documentId: 'paper', position: 0, start: 0, end: 12, text: ' the the the', tokens: 3 },
      { id: '000012:000001', documentId: 'paper', position: 1, start: 8, end: 20, text: ' the the the', tokens: 3 },
    ])
  })

  test('no boundary lies inside a character', () => {
    expect(o200k.encode('👩🏽𠮷').length).toBeGreaterThan(3)
    expect(texts('👩🏽𠮷', { by: 'tokens', size: 1, overlap: 0 })).toEqual(['👩', '🏽', '𠮷'])
  })
})

describe('by sentences', () => {
  const text = 'One two three. Four five six. Seven eight nine. Ten.'
  test.each([
    [9, 0, ['One two three. Four five six.', ' Seven eight nine. Ten.']],
    [9, 4, ['One two three. Four five six.', ' Four five six. Seven eight nine.', ' Seven eight nine. Ten.']],
    [4, 3, ['One two three.', ' Four five six.', ' Seven eight nine.', ' Ten.']],
    [100, 0, [text]],
  ])('at most %i tokens, %i shared', (size, overlap, expected) =>
    expect(texts(text, { by: 'sentences', size, overlap })).toEqual(expected),
  )

  test('a sentence longer than a chunk is cut by tokens, the others are not', () => {
    const long = `Short one. It was${wordsOf(23)}. Another one.`
    const found = cut(long, { by: 'sentences', size: 10, overlap: 0 })
    expect(found.map((one) => one.text).join('')).toBe(long)
    expect(found.map(({ tokens }) => tokens)).toEqual([3, 10, 10, 9])
  })
})

test('not at all: the whole document', () => {
  const text = `  ${wordsOf(3000)}\n`
  expect(texts(text, { by: 'none', size: 1, overlap: 0 })).toEqual([text])
})

test.each(['', ' ', '\r\n\t\u00a0'])('a blank document %j has no chunks', (text) => {
  for (const by of ['tokens', 'sentences', 'none'] as const) expect(cut(text, { by, size: 10, overlap: 0 })).toEqual([])
})

test.each([
  [10, 10, 'chunks.overlap is 10: it must be a whole number from 0 to less than chunks.size (10)'],
  [10, -1, 'chunks.overlap is -1'],
  [0, 0, 'chunks.size is 0'],
  [1.5, 0, 'chunks.size is 1.5'],
  [NaN, 0, 'chunks.size is NaN'],
])('size %d with overlap %d is refused', (size, overlap, message) => {
  const refused = () => cut('text', { by: 'tokens', size, overlap })
  expect(refused).toThrow(UserError)
  expect(refused).toThrow(message)
})

const anyText = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom('The cat sat. ', 'Dr. No', ' word', '\r\n', '\n\n', '你好。', '漢字', 'नमस्ते'),
      },
      fc.constantFrom('👩‍👩‍👧‍👦', '🏳️‍🌈', 'e\u0301\u0302', '\uD800', '\uDC00', '\uFEFF', '𠮷', '<|endoftext|>'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))
const sizes = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(11))
  .map(([size, overlap]) => ({ size, overlap: overlap % size }))
const ways = fc.constantFrom('tokens', 'sentences', 'none')

describe('whatever the text', () => {
  test('chunks quote it, in order, leave nothing out, and are numbered', () => {
    fc.assert(
      fc.property(anyText, sizes, ways, (text, size, by) => {
        const chunks = cut(text, { ...size, by })
        let covered = 0
        for (const [position, one] of chunks.entries()) {
          expect(one.text).toBe(text.slice(one.start, one.end))
          expect(one.text).not.toBe('')
          expect(one.tokens).toBe(o200k.count(one.text))
          expect(one.position).toBe(position)
          expect(one.start).toBeLessThanOrEqual(covered)
          expect(one.end).toBeGreaterThan(covered)
          covered = one.end
        }
        expect(covered).toBe(text.trim() === '' ? 0 : text.length)
        expect(chunks.map(({ id }) => id).sort()).toEqual(chunks.map(({ id }) => id))
      }),
      { numRuns: 300 },
    )
  })

  test('a sentence that ends inside a token is not given twice', () => {
    const text = '你好。\udc00\n\nThe cat sat. '
    expect(texts(text, { size: 1, overlap: 0, by: 'sentences' }).join('')).toBe(text)
  })

  test('without overlap they join to the text', () => {
    fc.assert(
      fc.property(anyText, sizes, ways, (text, { size }, by) => {
        expect(texts(text, { size, overlap: 0, by }).join('')).toBe(text.trim() === '' ? '' : text)
      }),
      { numRuns: 300 },
    )
  })

  test('a window holds at most `size` of the tokens of its document, besides the rest of its last character', () => {
    fc.assert(
      fc.property(anyText, sizes, (text, size) => {
        const starts = [...tokenStarts(text, o200k)]
        for (const { start, end } of cut(text, { ...size, by: 'tokens' })) {
          const tokens = starts.indexOf(end) - starts.lastIndexOf(start)
          expect(tokens).toBeLessThanOrEqual(size.size)
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('half a megabyte of every kind of text is cut', () => {
  for (const piece of ['The cat sat on the mat. ', '漢字', '👩‍👩‍👧', 'a', '\n']) {
    const text = 'x' + piece.repeat(Math.ceil(500_000 / piece.length))
    for (const by of ['tokens', 'sentences'] as const)
      expect(texts(text, { by, size: 200, overlap: 0 }).join('')).toBe(text)
  }
})
