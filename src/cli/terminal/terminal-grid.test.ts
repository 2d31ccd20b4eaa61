import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Grid } from '../../report/render/grid.ts'
import { terminalGrid } from './terminal-grid.ts'

const grid: Grid = {
  labels: 2,
  head: ['', 'method', 'accuracy', 'a title that is rather long', 'trials'],
  rows: [
    [{ text: 'a' }, { text: 'bm25' }, { text: '50.0 ±6.1', best: true }, { text: '–' }, { text: '167' }],
    [{ text: '' }, { text: 'oracle †' }, { text: '77.9 ±5.1' }, { text: '1' }, { text: '167' }],
  ],
}

const shown = (columns?: number): string => stripVTControlCharacters(terminalGrid(grid, columns))

test('on a narrow terminal every row is a block, and it is said', () => {
  expect(shown(50)).toBe(
    [
      'Each row is a block, as the terminal has fewer than 80 columns.',
      `a  bm25\n  accuracy                    50.0 ±6.1\n  a title that is rather long  –\n  trials                      167`,
      `oracle †\n  accuracy                    77.9 ±5.1\n  a title that is rather long  1\n  trials                      167`,
    ]
      .join('\n\n')
      .replace(/^( {2}(?:accuracy|trials)) +/gm, (_, title: string) => `${title.padEnd(29)}  `),
  )
})

test('a table that fits, a wider terminal, and what is no terminal have lines', () => {
  for (const columns of [79, 80, 200, Infinity]) expect(shown(columns).split('\n')).toHaveLength(3)
})
