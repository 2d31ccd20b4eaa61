import { expect, test } from 'vitest'
import { madeRun } from '../../test-support/made-run.ts'
import { noHealth } from '../../test-support/drawing.ts'
import type { GraphHealth } from '../../types.ts'
import { graphCorrelations, graphFigures, graphSum } from './graph-figures.ts'
import { graphColumns, graphNotes, healthWords } from '../render/graph-health.ts'
import { render, renderRuns } from '../render/formats.ts'
import { scoreGrid } from '../render/grid.ts'
import { notesOf } from '../render/notes.ts'
import { correlationNotes } from '../render/notes-on-trends.ts'
import { tableOf } from './table.ts'

const health: GraphHealth = {
  ...{ nodes: 10, edges: 9, withoutEdge: 6, components: 7, largest: 4, entities: 8, unrelated: 2, duplicates: 1 },
  ...{ sourced: 8, ungrounded: 2, evidence: 4, unmentioned: 1 },
}

/** A run of two rows, whose index lines have these graphs. */
async function tableWith(
  graphs: Readonly<Record<string, readonly (GraphHealth & { readonly names?: Record<string, string> })[]>>,
) {
  const run = madeRun({ rows: { one: { q: 1 }, two: { q: 0 } } })
  const usage = { calls: 1, promptTokens: 80, completionTokens: 20, embeddedTokens: 0, estimated: 0 }
  async function* trials() {
    yield* run.trials
    for (const { id: methodId, method, variant } of run.manifest.methods)
      for (const [repeat, graph] of (graphs[method] ?? []).entries())
        yield {
          ...{ line: 'index' as const, id: `${method} ${repeat}`, methodId, method, variant, corpus: 'c', graph },
          ...{ documents: 1, chunks: 1, usage, ...(repeat > 0 && { repeat }) },
        }
  }
  async function* stream<T>(lines: readonly T[]): AsyncGenerator<T> {
    yield* lines
  }
  const table = await tableOf(run.manifest, { trials, scores: () => stream(run.scores), meter: () => stream([]) })
  return { manifest: run.manifest, table }
}

test('the graphs of a row are the mean of the repeats of a corpus, summed over corpora', () => {
  const sum = graphSum()
  expect(sum.summary()).toBeUndefined()
  sum.add({ corpus: 'a', graph: health })
  sum.add({ corpus: 'a', repeat: 1, graph: { ...health, nodes: 20 } })
  sum.add({ corpus: 'b', graph: { ...health, components: null, largest: null } })
  sum.add({ corpus: 'c' })
  expect(sum.summary()).toMatchObject({ nodes: 25, edges: 18, components: null, largest: null })
})

test('what is not known is no share of nothing', () => {
  const values = (graph: GraphHealth | undefined, tokens: number) =>
    Object.fromEntries(graphFigures(graph, tokens).map(({ title, value }) => [title, value]))
  expect(values(health, 100)).toMatchObject({
    ...{ nodes: 10, 'nodes without an edge': 0.6, components: 7, 'largest component': 0.4 },
    ...{ 'entities without a relation': 0.25, 'near-duplicate entities': 0.125, 'entities not in their text': 0.25 },
    ...{ 'evidence without an entity': 0.25, 'index tokens a node': 10 },
  })
  expect(Object.values(values(noHealth, 0)).filter((value) => value !== null)).toEqual([0, 0, 0, 0])
  // entities that are joined to texts alone have no relation on purpose
  expect(values({ ...health, unrelated: 8 }, 0)['entities without a relation']).toBeNull()
  expect(new Set(Object.values(values(undefined, 5)))).toEqual(new Set([null]))
})

test('columns of graphs are shown where they are named, and what is badly off always', async () => {
  const { manifest, table } = await tableWith({ one: [health] })
  const plain = render('md', manifest, table)
  expect(plain).not.toContain('components')
  expect(plain).toContain(
    'Nodes of the graph without an edge: one 60.0 % of 10; pieces of evidence in chunks of which no entity was read: one 25.0 % of 4.',
  )
  const named = renderRuns('md', [{ manifest, table }], { columns: ['components', 'index tokens a node'] })
  expect(named).toMatch(/\| one +\| +7 \| +10 \|\n\| b +\| two +\| +– \| +– \|/)
  expect(named).toContain('an edge is a pair of nodes')
  expect(renderRuns('md', [{ manifest, table }], { columns: ['graph'] })).toContain(
    '| nodes without an edge | components |',
  )
  expect(renderRuns('latex', [{ manifest, table }], { columns: ['graph'] })).toContain('near-duplicate')
  expect(scoreGrid(manifest, table).head).not.toContain('nodes')
  const none = await tableWith({})
  expect(graphColumns(none.table)).toEqual([])
  expect(notesOf(none.manifest, none.table).join()).not.toContain('graph')
})

test('agreement is the mean over texts of shared names among all; a text counts where one row has a name there', async () => {
  const same = { d: 'eeeeee', e: 'eeeeee', f: 'eeeeee', g: 'eeeeee' }
  const names = (a: string, b: string, c: string) => ({ ...health, names: { a, b, c, ...same } })
  const { table } = await tableWith({
    one: [names('aaaaaabbbbbb', 'cccccc', ''), names('aaaaaa', 'cccccc', '')],
    two: [names('aaaaaabbbbbbdddddd', '', '')],
  })
  const rows = (a: string, b: string) => [a, b].map((method) => ({ method, variant: '' }))
  expect(table.agreements).toEqual([
    { rows: rows('one', 'one'), jaccard: 5.5 / 6, texts: 6 },
    { rows: rows('one', 'two'), jaccard: expect.closeTo((2 / 3 + 0 + 4) / 6, 12) as number, texts: 6 },
  ])
  expect(graphNotes(table)[1]).toContain('one with two 0.78 (6 texts), one with itself 0.92 (6 texts).')
  expect(graphColumns(table).at(-1)).toEqual({ title: 'least agreement', texts: ['0.78 of 6', '0.78 of 6'] })
  const few = { ...health, names: { a: 'aaaaaa', b: 'aaaaaa', c: 'aaaaaa', d: 'aaaaaa' } }
  expect((await tableWith({ one: [few], two: [few] })).table.agreements).toBeUndefined()
})

const row = (nodes: number, score: number, method = 'm') => ({
  method,
  figures: graphFigures({ ...health, nodes }, 0),
  score,
})

test('measures are correlated with the score over six different graphs of a method or more', () => {
  const six = [1, 2, 3, 4, 5, 6].map((nodes) => row(10 * nodes, nodes / 10))
  expect(graphCorrelations(six.slice(1), 'f1', 1)).toEqual([])
  // equal graphs are one
  expect(graphCorrelations([...six.slice(1), row(60, 0)], 'f1', 1)).toEqual([])
  const found = graphCorrelations([...six, row(10, 0.1), row(5, 0, 'other')], 'f1', 1)
  // shares of the nodes move with them; what is the same everywhere is left out
  expect(found.map(({ measure, rho, graphs, rows }) => [measure, rho, graphs, rows])).toEqual([
    ['nodes', expect.closeTo(1, 12), 6, 7],
    ['nodes without an edge', expect.closeTo(-1, 12), 6, 7],
    ['largest component', expect.closeTo(-1, 12), 6, 7],
  ])
  expect(found[0]).toMatchObject({ p: 2 / 720, pAdjusted: 6 / 720 })
  const [note = ''] = correlationNotes(found)
  expect(note).toContain('m (7 rows): nodes 1.00 (n 6, p 0.00278, Holm 0.00833)')
  expect(note).toContain('a correlation is no cause')
  expect(correlationNotes([])).toEqual([])
})

test('a graph is described in words that count', () => {
  expect(healthWords(health)).toEqual([
    '6 of 10 nodes (60.0 %) have no edge',
    '7 connected components, the largest of 4 of 10 nodes (40.0 %)',
    '2 of 8 entities (25.0 %) have no edge to another one',
    '1 of 8 entities (12.5 %) are near-duplicates of another one',
    '2 of 8 entities (25.0 %) are named in none of their texts',
    '1 of 4 pieces of evidence (25.0 %) stand in chunks of no entity',
  ])
  expect(healthWords(noHealth)).toEqual([])
})
