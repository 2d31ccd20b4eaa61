import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { TextTable } from '../../report/render/text-table.ts'
import { formatTable } from './format-table.ts'

const grid: TextTable = {
  labels: 2,
  head: ['', 'method', 'accuracy', 'a title that is rather long', 'trials'],
  rows: [
    [{ text: 'a' }, { text: 'bm25' }, { text: '50.0 ±6.1', best: true }, { text: '–' }, { text: '167' }],
    [{ text: '' }, { text: 'oracle †' }, { text: '77.9 ±5.1' }, { text: '1' }, { text: '167' }],
  ],
}

const shown = (columns?: number, of = grid): string => stripVTControlCharacters(formatTable(of, columns))

test('keeps titles in one line if the table fits, or without a terminal', () => {
  for (const columns of [70, 80, 200, Infinity]) expect(shown(columns).split('\n')).toHaveLength(3)
})

test('wraps titles if the table does not fit', () => {
  expect(shown(40)).toBe(
    [
      '                             a',
      '                         title',
      '                          that',
      '                            is',
      '                        rather',
      '   method     accuracy    long  trials',
      'a  bm25      50.0 ±6.1       –     167',
      '   oracle †  77.9 ±5.1       1     167',
    ].join('\n'),
  )
})

test('splits a wide table into parts with row names, without breaking cells', () => {
  const text = shown(26)
  expect(text.split('\n\n').map((part) => part.split('\n').slice(-3))).toEqual([
    ['   method     accuracy', 'a  bm25      50.0 ±6.1', '   oracle †  77.9 ±5.1'],
    ['   method      long', 'a  bm25           –', '   oracle †       1'],
    ['   method    trials', 'a  bm25         167', '   oracle †     167'],
  ])
  for (const columns of [22, 26, 30, 40, 60])
    for (const line of shown(columns).split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
})

test('counts wide characters as two columns', () => {
  const wide: TextTable = { head: ['方法', 'F1'], rows: [[{ text: '検索拡張生成' }, { text: '50.0 ±6.1' }]] }
  expect(shown(23, wide).split('\n')).toHaveLength(2)
  expect(shown(20, wide).split('\n')[0]).toBe('方法                 F1')
})
