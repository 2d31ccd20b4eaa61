import { expect, test } from 'vitest'
import { percent } from '../../text/amounts.ts'
import { compactTable, omissionNote, type TextTable } from './text-table.ts'

const tableOf = (head: readonly string[], ...rows: readonly (readonly string[])[]): TextTable => ({
  head,
  rows: rows.map((row) => row.map((text) => ({ text }))),
})

test('drops columns that are zero, constant or equal to another one, and lists them', () => {
  const table = tableOf(
    ['row', 'EM', 'accuracy', 'F1', 'trials', 'failed', 'cost', 'money'],
    ['a', '1.0', '1.0', '2.0', '167', '0', '0', '–'],
    ['b', '3.0', '3.0', '2.5', '167', '0', '–', '–'],
  )
  const { compact, omissions } = compactTable(table, ['accuracy'])
  expect(compact.head).toEqual(['row', 'accuracy', 'F1'])
  expect(compact.rows[1]?.map(({ text }) => text)).toEqual(['b', '3.0', '2.5'])
  expect(omissions).toEqual(['EM (as accuracy)', 'trials 167', 'failed 0', 'cost 0', 'money –'])
  expect(omissionNote(omissions)).toEqual([
    'Hidden (same in every row): EM (as accuracy), trials 167, failed 0, cost 0, money –. --columns all shows them.',
  ])
  expect(omissionNote([])).toEqual([])
})

test('drops only columns of zeros for a single row, and compares columns without significance letters', () => {
  expect(compactTable(tableOf(['row', 'F1', 'EM', 'failed'], ['a', '5.0', '5.0', '0'])).omissions).toEqual(['failed 0'])
  const compared = {
    head: ['row', 'F1', 'EM'],
    rows: [
      [{ text: 'a' }, { text: '5.0 b', score: { mean: '5.0', letters: 'b' } }, { text: '5.0' }],
      [{ text: 'b' }, { text: '1.0', score: { mean: '1.0', letters: '' } }, { text: '1.0' }],
    ],
  }
  expect(compactTable(compared).omissions).toEqual(['EM (as F1)'])
})

test.each([
  [0, '0.0 %'],
  [0.0004, 'less than 0.1 %'],
  [0.0005, '0.1 %'],
  [0.002, '0.2 %'],
  [0.347, '34.7 %'],
])('prints the share %f as %s', (share, shown) => {
  expect(percent(share)).toBe(shown)
})
