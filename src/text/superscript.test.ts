import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subscript, superscript } from './superscript.ts'

test.each([
  ['10', '−3', '10^−3'],
  ['35 m', '2', '35 m^2'],
  ['le 1', 'er', 'le 1er'],
  ['Leipzig', 'a', 'Leipzig[a]'],
  ['北京', '2', '北京[2]'],
  ['at noon.', '12', 'at noon.[12]'],
  ['(see there)', '3', '(see there)[3]'],
  ['', '1', '[1]'],
  ['x', '[2]', 'x[2]'],
  ['Produkt', 'NEU', 'Produkt^NEU'],
  ['a claim', 'citation needed', 'a claim [citation needed]'],
])('after %j the superscript %j reads %j', (before, mark, expected) =>
  expect(before + superscript(before, mark)).toBe(expected),
)

test('a known footnote mark is bracketed everywhere', () => expect(superscript('2019', ' 4 ', true)).toBe('[4]'))

test('never joins a digit to a number before it', () => {
  const number = fc.integer({ min: 0, max: 10_000 }).map(String)
  fc.assert(
    fc.property(number, number, (before, mark) => {
      for (const read of [superscript, subscript]) expect(`${before}${read(before, mark)}`).toMatch(/^\d+[\^_]\d+$/)
    }),
  )
})
