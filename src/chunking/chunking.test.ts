import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenizer, tokenStarts } from '../text/tokens.ts'
import { type Chunk, cutBy } from '../types.ts'
import { wholeDocuments } from '../methods/shared/whole-documents.ts'
import { chunk, type ChunkOptions, sentenceWindows, subjectChanges } from './index.ts'
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

  test('splits only a sentence longer than a chunk by tokens', () => {
    const long = `Short one. It was${wordsOf(23)}. Another one.`
    const found = cut(long, { by: 'sentences', size: 10, overlap: 0 })
    expect(found.map((one) => one.text).join('')).toBe(long)
    expect(found.map(({ tokens }) => tokens)).toEqual([3, 10, 10, 9])
  })
})

test.each([
  [8, 0, ['One two three.\n\nFour five.\n\n', 'Six. Seven eight nine ten.', ' Eleven twelve.']],
  [100, 0, ['One two three.\n\nFour five.\n\nSix. Seven eight nine ten. Eleven twelve.']],
  [11, 4, ['One two three.\n\nFour five.\n\n', 'Six. Seven eight nine ten. Eleven twelve.']],
  [14, 4, ['One two three.\n\nFour five.\n\n', 'Four five.\n\nSix. Seven eight nine ten. Eleven twelve.']],
])('by paragraphs of at most %i tokens, %i shared; a longer one between sentences', (size, overlap, expected) => {
  const text = 'One two three.\n\nFour five.\n\nSix. Seven eight nine ten. Eleven twelve.'
  expect(texts(text, { by: 'paragraphs', size, overlap })).toEqual(expected)
})

describe('by headings', () => {
  const guide = [
    '---\ntitle: Guide\n---\n',
    'Before all.\n\n',
    '# Guide\n\n## Install ##\n\nOn Linux.\n\nOn a Mac, with a bell and a lamp.\n\n',
    '```sh\n# no heading\n```\n\n',
    'Use\n---\n\nRing.\n\n',
    'End\n===\n\nBye.\n',
  ]
  const text = guide.join('')

  test('makes one chunk per section; ignores headings without text, code and front matter', () => {
    const found = texts(text, { by: 'headings', size: 200, overlap: 0 })
    expect(found).toEqual([`${guide[0]}${guide[1]}`, `${guide[2]}${guide[3]}`, guide[4], guide[5]])
  })

  test('splits a longer section between paragraphs, each chunk with its heading path', () => {
    const found = cut(text, { by: 'headings', size: 20, overlap: 0, path: true })
    expect(found.map((one) => one.text)).toEqual([
      `${guide[0]}${guide[1]}`,
      '# Guide\n\n## Install ##\n\nOn Linux.\n\n',
      'Guide > Install\nOn a Mac, with a bell and a lamp.\n\n',
      'Guide > Install\n```sh\n# no heading\n```\n\n',
      'Guide\nUse\n---\n\nRing.\n\n',
      'End\n===\n\nBye.\n',
    ])
    for (const { text: own, start, end, lead = 0, tokens } of found) {
      expect(own.slice(lead)).toBe(text.slice(start, end))
      expect(tokens).toBe(o200k.count(own))
      expect(tokens).toBeLessThanOrEqual(20)
    }
    expect(wholeDocuments(found)).toMatchObject([{ text }])
  })

  test('omits a path above half of the size; a text without headings is one section', () => {
    const found = cut(text, { by: 'headings', size: 7, overlap: 2, path: true })
    expect(found.flatMap(({ text: own, lead = 0 }) => (lead > 0 ? [own.slice(0, lead)] : []))).toEqual(['End\n'])
    expect(texts('Plain.\n\nText #1.', { by: 'headings', size: 50, overlap: 0 })).toEqual(['Plain.\n\nText #1.'])
  })
})

describe('semantic', () => {
  const text = 'Cats purr. Cats sleep. Ships sail. Ships sink.'

  test('embeds each sentence with its neighbours; a single one not at all', () => {
    expect(sentenceWindows(text)).toEqual([
      'Cats purr. Cats sleep.',
      'Cats purr. Cats sleep. Ships sail.',
      'Cats sleep. Ships sail. Ships sink.',
      'Ships sail. Ships sink.',
    ])
    expect(sentenceWindows('Cats purr.')).toEqual([])
  })

  test('the subject changes where the distance exceeds the percentile', () => {
    const vectors = [
      [1, 0],
      [4, 3],
      [3, 4],
      [0, 1],
    ].map((one) => Float32Array.from(one))
    // the distances are .2, .04 and .2
    expect(subjectChanges(text, vectors, 0)).toEqual([10, 34])
    expect(subjectChanges(text, vectors, 100)).toEqual([])
    const turned = [
      [1, 0],
      [4, 3],
      [-3, 4],
      [-3, 4],
    ].map((one) => Float32Array.from(one))
    // .2, 1 and 0: the median is .2
    expect(subjectChanges(text, turned, 50)).toEqual([22])
    expect(subjectChanges('Cats purr.', [], 95)).toEqual([])
  })

  test('splits the document there, and long parts between sentences', () => {
    const cutAt = (size: number) =>
      chunk({ id: 'd', text }, 0, { by: 'semantic', size, overlap: 0 }, o200k, [22]).map((one) => one.text)
    expect(cutAt(50)).toEqual(['Cats purr. Cats sleep.', ' Ships sail. Ships sink.'])
    expect(cutAt(4)).toEqual(['Cats purr.', ' Cats sleep.', ' Ships sail.', ' Ships sink.'])
  })
})

test('strategy none: one chunk per document', () => {
  const text = `  ${wordsOf(3000)}\n`
  expect(texts(text, { by: 'none', size: 1, overlap: 0 })).toEqual([text])
})

test.each(['', ' ', '\r\n\t\u00a0'])('a blank document %j has no chunks', (text) => {
  for (const by of cutBy) expect(cut(text, { by, size: 10, overlap: 0 })).toEqual([])
})

const anyText = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(...'The cat sat. |Dr. No| word|\r\n|\n\n|\n# Cats\n|你好。|漢字|नमस्ते'.split('|')),
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
const ways = fc.constantFrom('tokens', 'sentences', 'paragraphs', 'headings', 'semantic', 'none')

describe('for any text', () => {
  test('chunks quote it in order, without gaps, numbered', () => {
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

  test('chunks without overlap concatenate to the text', () => {
    fc.assert(
      fc.property(anyText, sizes, ways, (text, { size }, by) => {
        expect(texts(text, { size, overlap: 0, by }).join('')).toBe(text.trim() === '' ? '' : text)
      }),
      { numRuns: 300 },
    )
  })

  test('a window has at most `size` tokens of its document, plus the rest of its last character', () => {
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
