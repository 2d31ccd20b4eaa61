import { expect, test } from 'vitest'
import { pageText, type PdfItem } from './pdf-page.ts'

type Piece = readonly [text: string, size?: number, rise?: number]

/** A line of pieces side by side: 12 points on the base line where not said otherwise. */
const line = (...pieces: readonly Piece[]): readonly PdfItem[] => {
  let x = 72
  return pieces.map(([text, size = 12, rise = 0], at) => {
    const width = text.length * size * 0.5
    const transform = [size, 0, 0, size, x, 600 + rise]
    x += width
    return { text, transform, width, height: size, endsLine: at === pieces.length - 1 }
  })
}

test.each<[string, readonly Piece[], string]>([
  ['a power', [['The mass is 10'], ['6', 7, 4], [' '], ['kg']], 'The mass is 10^6 kg'],
  ['a power in several pieces', [['10'], ['−', 7, 4], ['6', 7, 4], [' m']], '10^−6 m'],
  ['a subscript', [['H'], ['2', 7, -3], ['O']], 'H2O'],
  ['a subscript and a charge', [['SO'], ['4', 7, -3], ['2−', 7, 5]], 'SO4^2−'],
  ['the mark of a footnote', [['in Leipzig'], ['1', 7, 4], [' today']], 'in Leipzig[1] today'],
  ['a footnote', [['1', 6, 3], [' '], ['Without VAT', 9]], '[1] Without VAT'],
  ['an ordinal', [['the 1'], ['st', 7, 4], [' of May']], 'the 1st of May'],
  ['small words on the base line', [['Total'], ['12', 8], [' EUR', 8]], 'Total12 EUR'],
  [
    'a large initial',
    [
      ['O', 36],
      ['nce upon a time', 12, 20],
    ],
    'Once upon a time',
  ],
  [
    'a small number far from the text',
    [['Name'], ['                    ', 7], ['3', 7, 4]],
    'Name                    3',
  ],
])('%s', (_, pieces, expected) => expect(pageText(line(...pieces))).toBe(`${expected}\n`))

test('separates pieces on several lines and reads rotated text in order', () => {
  const [ten, six] = line(['10'], ['6', 7, 4])
  const rotation = [ten, six].map((item) => item && { ...item, transform: [0, 12, -12, 0, 72, 600] })
  const items = [...line(['E1'], ['2', 7, 4]), ...line(['2', 7, 4]), ...rotation].filter((item) => item !== undefined)
  expect(pageText(items)).toBe('E1^2\n2\n106\n')
})
