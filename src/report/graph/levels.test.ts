import { expect, test } from 'vitest'
import { drawing } from '../../test-support/drawing.ts'
import { countOn } from './client/count-on.ts'
import { decodePage } from './client/decode.ts'
import type { Browser, Element } from './client/dom.ts'
import { model } from './client/model.ts'
import { readIntegers } from './client/read-integers.ts'
import { switchLevels } from './client/switch-levels.ts'
import { encodePage } from './encode.ts'
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
  expect(decodePage(encodePage(data), countOn, readIntegers).levels).toEqual(
    levels.map(({ name, groups }) => ({ name, group: groups })),
  )
  const { text } = exportGraph('html', levelled)
  expect(text).toContain('<option value="1">level &#60;1&#62;</option>')
  expect(text).toMatch(/<div data-level="0"><ul class="legend"[^]*<div data-level="1" hidden><ul class="legend"/)
  expect(exportGraph('html', drawing).text).not.toContain('<select')
})

test('a switch gives every node the group and the colour of its level, and shows the legend of that level', () => {
  const data = pageData(levelled, layout(levelled.graph))
  const { nodes } = model(data)
  const legends = [0, 1].map((level) => ({ dataset: { level: String(level) }, hidden: level > 0 }))
  let change = (): void => undefined
  const choice = { value: '1', addEventListener: (_: string, listener: () => void) => (change = listener) }
  const document = {
    querySelectorAll: (selector: string) => (selector === '#level' ? [choice] : legends) as unknown as Element[],
  }
  let changed = 0
  switchLevels({ document } as unknown as Browser, data, nodes, () => changed++)
  change()
  expect(nodes.map(({ group, colour }) => [group, colour])).toEqual(levels[1]?.groups.map((group) => [group, group]))
  expect([changed, ...legends.map(({ hidden }) => hidden)]).toEqual([1, true, false])
})
