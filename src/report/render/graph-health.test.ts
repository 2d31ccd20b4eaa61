import { expect, test } from 'vitest'
import { indexLines, journalsOf, madeRun } from '../../test-support/fake-run.ts'
import type { IndexLine } from '../../records.ts'
import type { GraphHealth } from '../../types.ts'
import { tableOf } from '../table/table.ts'
import { render, renderRuns } from './formats.ts'
import { scoreTable } from './tables.ts'

const health: GraphHealth = { nodes: 10, edges: 9, components: 7, largest: 4 }

interface GraphOf {
  readonly corpus: string
  readonly repeat?: number
  readonly graph: GraphHealth
}

/** A run of two rows, of which one has these graphs. */
async function tableWith(graphs: readonly GraphOf[]) {
  const { manifest, trials, scores } = madeRun({ rows: { one: { q: 1 }, two: { q: 0 } } })
  const lines = indexLines(manifest, (method) => (method === 'one' ? graphs.length : 0))
  const indexes = lines.map(({ repeat: _repeat, ...line }, number): IndexLine => ({ ...line, ...graphs[number] }))
  return { manifest, table: await tableOf(manifest, journalsOf({ trials: [...trials, ...indexes], scores })) }
}

test('averages graph counts over the repeats of a corpus and sums them over corpora', async () => {
  const whole = [
    { corpus: 'a', graph: health },
    { corpus: 'a', repeat: 1, graph: { ...health, nodes: 20 } },
    { corpus: 'b', graph: health },
  ]
  expect((await tableWith(whole)).table.rows[0]?.graph).toEqual({ nodes: 25, edges: 18, components: 14, largest: 8 })
  const weak = [...whole, { corpus: 'c', graph: { ...health, components: null, largest: null } }]
  const { manifest, table } = await tableWith(weak)
  expect(table.rows[0]?.graph).toEqual({ nodes: 35, edges: 27, components: null, largest: null })
  expect(scoreTable(manifest, table, ['graph']).rows.map((row) => row.slice(2).map(({ text }) => text))).toEqual([
    ['35', '27', '–', '–'],
    ['–', '–', '–', '–'],
  ])
})

test('shows graph columns only if --columns names them', async () => {
  const { manifest, table } = await tableWith([{ corpus: 'c', graph: health }])
  expect(render('md', manifest, table)).not.toContain('components')
  const named = renderRuns('md', [{ manifest, table }], { columns: ['components', 'largest component'] })
  expect(named).toMatch(/\| one +\| +7 \| +40\.0 % \|\n\| b +\| two +\| +– \| +– \|/)
  for (const format of ['md', 'latex'] as const)
    expect(renderRuns(format, [{ manifest, table }], { columns: ['graph'] })).toContain('components')
  expect(scoreTable(manifest, table).head).not.toContain('nodes')
  const { manifest: bare, table: without } = await tableWith([])
  expect(scoreTable(bare, without, ['all']).head).not.toContain('nodes')
})
