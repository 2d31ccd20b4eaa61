import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { parquetWriteFile } from 'hyparquet-writer'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rowsOf, tablesOf } from '../../test-support/graphrag-index/tables.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Chunk } from '../../types.ts'
import { graphrag } from './graphrag.ts'
import { readIndex } from './read-published-index.ts'

type Row = Record<string, unknown>

const ids = (kind: string, numbers: readonly number[]): readonly string[] => numbers.map((id) => `${kind}${id}`)

/** The columns of GraphRAG 3 from the rows of the vectors; `period` and `document_id` are not read. */
const released: Readonly<Record<string, readonly Row[]>> = {
  entities: rowsOf('dulce-2026', 'entities').map(({ textUnitIds, ...row }) => ({
    ...row,
    id: `e${row.id}`,
    human_readable_id: row.id,
    text_unit_ids: ids('t', textUnitIds),
  })),
  relationships: rowsOf('dulce-2026', 'relationships').map(({ id, combinedDegree, textUnitIds, ...row }) => ({
    ...row,
    human_readable_id: id,
    combined_degree: BigInt(combinedDegree),
    text_unit_ids: ids('t', textUnitIds),
  })),
  communities: rowsOf('dulce-2026', 'communities').map(({ id, level, parent, children, entityIds, textUnitIds }) => ({
    community: id,
    level,
    parent,
    children,
    period: '2026-01-13',
    entity_ids: ids('e', entityIds),
    text_unit_ids: ids('t', textUnitIds),
  })),
  community_reports: rowsOf('dulce-2026', 'reports').map(({ community, level, title, fullContent, rank }) => ({
    community,
    level,
    title,
    full_content: fullContent,
    rank,
  })),
  text_units: rowsOf('dulce-2026', 'text_units').map(({ id, text }) => ({ id: `t${id}`, text, document_id: 'd' })),
}

/** A folder with the index as Parquet, in which rows of one table are changed. */
function indexWith(table = '', change: (rows: Row[]) => unknown = () => undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-graphrag-'))
  for (const [name, published] of Object.entries(released)) {
    const rows = published.map((row) => ({ ...row }))
    if (name === table) change(rows)
    parquetWriteFile({
      filename: join(folder, `${name}.parquet`),
      columnData: Object.keys(rows[1] ?? {}).map((column) => ({ name: column, data: rows.map((row) => row[column]) })),
    })
  }
  return folder
}

const [{ text } = { text: '' }] = rowsOf('dulce-2026', 'documents')
const chunks: Chunk[] = [0, 1, 2, 3].map((position) => {
  const [start, end] = [position * 6000, Math.min(text.length, (position + 1) * 6000)]
  return { id: `c${position}`, documentId: 'dulce', position, start, end, text: text.slice(start, end), tokens: 1200 }
})

test('reads the published tables and ignores other columns', async () => {
  const { entities, relationships, communities, reports, textUnits } = await tablesOf('dulce-2026')
  const read = await readIndex(indexWith())
  expect(read.entities).toEqual(entities)
  expect(read.relationships).toEqual(relationships)
  expect(communities).toMatchObject(read.communities)
  expect(reports).toMatchObject(read.reports)
  expect(textUnits).toMatchObject(read.textUnits)
})

describe('a published index', () => {
  test.each(['local', 'basic'] as const)(
    '%s: calls no language model and locates text units in the documents',
    async (mode) => {
      const models = fakeModels()
      const index = await graphrag.index(chunks, models, graphrag.options.parse({ index: indexWith(), mode }))
      const budget = { passages: 9, tokens: 12_000 }
      const found = await index.retrieve({ id: 'q', text: 'Who leads the team at Dulce Base?' }, budget, models)
      expect(models.calls).toEqual([])
      const units = found.filter(({ kind }) => kind === 'chunk')
      expect(units.length).toBeGreaterThan(2)
      for (const { text: own, spans, from } of units) {
        expect(text.slice(spans?.[0]?.start, spans?.[0]?.end)).toBe(own)
        expect(from.length).toBeGreaterThan(0)
      }
      expect(index.stats?.()).toMatchObject({
        entities: 39,
        relationships: 107,
        communities: 10,
        reports: 10,
      })
      expect(index.warnings?.()).toMatchObject({
        'text units of the published index that stand in no document': 0,
        'relationships of the published index with an end that is no entity': 2,
      })
    },
  )

  test('rejects an index of other documents', async () => {
    const other = chunks.map((chunk) => ({ ...chunk, text: chunk.text.toUpperCase() }))
    const options = graphrag.options.parse({ index: indexWith() })
    await expect(graphrag.index(other, fakeModels(), options)).rejects.toThrow('no text unit of this index stands in')
  })
})

describe('faults are one line with file, row and column', () => {
  test.each<[string, string, number, Row, string]>([
    ['a missing title', 'entities', 2, { title: null }, 'title: expected string'],
    ['a dangling text unit', 'entities', 0, { text_unit_ids: ['t0', 't99'] }, '"text_unit_ids" names "t99"'],
    ['a dangling entity', 'communities', 4, { entity_ids: ['x'] }, 'column "entity_ids" names "x"'],
    ['a dangling child', 'communities', 0, { children: [7, 99] }, 'column "children" names "99"'],
    ['a report on nothing', 'community_reports', 1, { community: 50 }, 'column "community" names "50"'],
  ])('%s', async (_, table, row, change, message) => {
    const folder = indexWith(table, (rows) => Object.assign(rows[row] ?? {}, change))
    const where = `${table}.parquet: row ${row + 1}: `
    await expect(readIndex(folder)).rejects.toThrow(new RegExp(`${where}[^\\n]*${message}[^\\n]*$`))
  })

  test.each<[string, string, (row: Row) => unknown, string]>([
    ['a missing column', 'entities', (row) => delete row['title'], 'lacks "title"; expected the table entities'],
    ['no number', 'relationships', (row) => Object.assign(row, { weight: 'heavy' }), 'weight'],
    ['no list', 'communities', (row) => Object.assign(row, { entity_ids: 'all' }), 'entity_ids: expected array'],
  ])('%s in every row', async (_, table, change, message) => {
    const folder = indexWith(table, (rows) => rows.forEach(change))
    await expect(readIndex(folder)).rejects.toThrow(new RegExp(`${table}.parquet: row 1: ${message}[^\\n]*$`))
  })

  test('reports a table that is not Parquet, and a missing one', async () => {
    const folder = indexWith()
    writeFileSync(join(folder, 'entities.parquet'), 'PAR1 no')
    await expect(readIndex(folder)).rejects.toThrow('entities.parquet: cannot be read as Parquet')
    rmSync(join(folder, 'entities.parquet'))
    await expect(readIndex(folder)).rejects.toThrow('contains no entities.parquet, a table of GraphRAG 2 or 3')
  })
})
