import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recursiveSplit } from '../text/recursive-split.ts'
import { tokenizer } from '../text/tokens.ts'
import { chunk } from './index.ts'

const words = tokenizer('cl100k_base')

/** What LangChain's splitter makes of a text; the warnings that it prints are not read. */
const theirs = (text: string, size: number, overlap: number, lengthFunction: (part: string) => number) =>
  new RecursiveCharacterTextSplitter({ chunkSize: size, chunkOverlap: overlap, lengthFunction }).splitText(text)

const characters = (part: string): number => part.length

const split = (text: string, size: number, overlap: number, measure = characters): readonly string[] =>
  recursiveSplit(text, { size, overlap }, measure).map(({ start, end }) => text.slice(start, end))

const prose = [
  'Hi.\n\nI am Harrison.\n\nHow? Are? You?\nOkay then f f f f.\nThis is a weird text to write, but gotta test the splittingggg some how.\n\nBye!\n\n-H.',
  'foo bar baz 123',
  'foo    bar  baz\n 123\n\n  a',
  'Ada kept the lamp.\nIt broke.\n\nEdric rang the bell, then the bell again, and nobody came to the lighthouse that night.',
  `- one\n- two\n\n# Title\n\n${'word '.repeat(60)}\n\nend`,
  'x'.repeat(50),
]

test.each(prose)('splits %j like @langchain/textsplitters, in characters and in tokens', async (text) => {
  for (const [size, overlap] of [
    [10, 1],
    [10, 5],
    [25, 0],
    [40, 12],
  ] as const) {
    expect(split(text, size, overlap)).toEqual(trimmed(await theirs(text, size, overlap, characters)))
    const inTokens = await theirs(text, size, overlap, (part) => words.count(part))
    const found = chunk({ id: 'd', text }, 0, { by: 'recursive', size, overlap }, words)
    expect(found.map((one) => one.text)).toEqual(trimmed(inTokens))
    for (const one of found) expect(text.slice(one.start, one.end)).toBe(one.text)
  }
})

test('splits any text of words, lines and blank lines like @langchain/textsplitters', async () => {
  const piece = fc.constantFrom('a', 'bread', 'lighthouses', ' ', ' ', '\n', '. ', 'é', 'x'.repeat(30))
  const paragraph = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('').replace(/\n+/g, '\n').trim())
  await fc.assert(
    fc.asyncProperty(
      fc.array(paragraph, { maxLength: 6 }),
      fc.integer({ min: 2, max: 30 }),
      fc.nat({ max: 29 }),
      async (parts, size, shared) => {
        // of more than two line breaks LangChain's two languages make different parts
        const text = parts.filter((part) => part !== '').join('\n\n')
        const overlap = Math.min(shared, size - 1)
        expect(split(text, size, overlap)).toEqual(trimmed(await theirs(text, size, overlap, characters)))
      },
    ),
    { numRuns: 300 },
  )
})

/** A piece that LangChain could not cut further keeps its white space there; blank pieces are none here. */
const trimmed = (pieces: readonly string[]): readonly string[] =>
  pieces.map((piece) => piece.trim()).filter((piece) => piece !== '')
