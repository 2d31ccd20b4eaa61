import { expect, test } from 'vitest'
import { drawing } from '../../test-support/drawing.ts'
import { decodePage, encodePage } from './page-format.ts'
import { exportGraph } from './export.ts'
import { layout } from './layout.ts'
import { pageData } from './page-data.ts'

const { nodes } = drawing.graph
const levels = [
  { name: 'level 0', groups: nodes.map(() => 1) },
  { name: 'level <1>', groups: nodes.map((_, index) => (index % 2) + 1) },
]
const levelled = { ...drawing, graph: { ...drawing.graph, groups: ['all', 'odd'], levels } }

test('a page carries its levels, a switch between them and a legend for each; without levels there is none', () => {
  const data = pageData(levelled, layout(levelled.graph))
  expect(decodePage(encodePage(data)).levels).toEqual(levels.map(({ name, groups }) => ({ name, group: groups })))
  const { text } = exportGraph('html', levelled)
  expect(text).toContain('<option value="1">level &#60;1&#62;</option>')
  expect(text).toMatch(/<div data-level="0"><ul class="legend"[^]*<div data-level="1" hidden><ul class="legend"/)
  expect(exportGraph('html', drawing).text).not.toContain('<select')
})
