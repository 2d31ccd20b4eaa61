import { afterEach, expect, test, vi } from 'vitest'
import { drawing } from '../../../test-support/drawing.ts'
import { layout } from '../layout.ts'
import { pageData } from '../page-data.ts'
import { model } from './model.ts'
import { switchLevels } from './switch-levels.ts'
const { nodes } = model(pageData(drawing, layout(drawing.graph)))
const levels = [
  { name: 'level 0', group: nodes.map(() => 1) },
  { name: 'level 1', group: nodes.map((_, index) => (index % 2) + 1) },
]

afterEach(() => vi.unstubAllGlobals())

test('a switch gives every node the group and the colour of its level, and shows the legend of that level', () => {
  const legends = [0, 1].map((level) => ({ dataset: { level: String(level) }, hidden: level > 0 }))
  let change = (): void => undefined
  const choice = { value: '1', addEventListener: (_: string, listener: () => void) => (change = listener) }
  vi.stubGlobal('document', {
    querySelector: (selector: string) => (selector === '#level' ? choice : null),
    querySelectorAll: () => legends,
  })
  let changed = 0
  switchLevels({ levels }, nodes, () => changed++)
  change()
  expect(nodes.map(({ group, colour }) => [group, colour])).toEqual(levels[1]?.group.map((group) => [group, group]))
  expect([changed, ...legends.map(({ hidden }) => hidden)]).toEqual([1, true, false])
})
