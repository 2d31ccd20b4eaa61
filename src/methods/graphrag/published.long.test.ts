import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { parquetWriteFile } from 'hyparquet-writer'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Chunk } from '../../types.ts'
import { graphrag } from './graphrag.ts'
import { readIndex } from './published.ts'

const dulce = new URL('../../test-support/graphrag-index/dulce-2026', import.meta.url).pathname

const rowsOf = (name: string): Record<string, unknown>[] =>
  readFileSync(join(dulce, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** A copy of the index in which rows of one table are changed. */
function copy(table = 'entities', change: (rows: Record<string, unknown>[]) => unknown = () => undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-graphrag-'))
  cpSync(dulce, folder, { recursive: true })
  const rows = rowsOf(table)
  change(rows)
  writeFileSync(join(folder, `${table}.jsonl`), rows.map((row) => JSON.stringify(row)).join('\n'))
  return folder
}

const [document] = rowsOf('documents')
const text = String(document?.['text'])
const chunks: Chunk[] = [0, 1, 2, 3].map((position) => {
  const [start, end] = [position * 6000, Math.min(text.length, (position + 1) * 6000)]
  return { id: `c${position}`, documentId: 'dulce', position, start, end, text: text.slice(start, end), tokens: 1200 }
})

describe('a published index', () => {
  test.each(['local', 'basic'] as const)(
    '%s: no language model is asked, and text units are found in the documents',
    async (mode) => {
      const models = fakeModels()
      const index = await graphrag.index(chunks, models, graphrag.options.parse({ index: dulce, mode }))
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
        orphans: 2,
      })
      expect(index.warnings?.()).toMatchObject({ 'text units of the published index that stand in no document': 0 })
    },
  )

  test('of other documents is refused', async () => {
    const other = chunks.map((chunk) => ({ ...chunk, text: chunk.text.toUpperCase() }))
    const options = graphrag.options.parse({ index: dulce })
    await expect(graphrag.index(other, fakeModels(), options)).rejects.toThrow('no text unit of this index stands in')
  })
})

describe('what is wrong is one line: file, row and column', () => {
  test.each<[string, string, (rows: Record<string, unknown>[]) => unknown, string]>([
    [
      'a missing column',
      'entities',
      (rows) => delete rows[2]?.['title'],
      'entities.jsonl: row 3: column "title" is missing',
    ],
    [
      'a dangling text unit',
      'entities',
      (rows) => Object.assign(rows[0] ?? {}, { textUnitIds: [0, 99] }),
      'entities.jsonl: row 1: column "text_unit_ids" names the text unit "99", which is not there',
    ],
    [
      'a dangling entity',
      'communities',
      (rows) => Object.assign(rows[4] ?? {}, { entityIds: ['x'] }),
      'communities.jsonl: row 5: column "entity_ids" names the entity "x"',
    ],
    [
      'a dangling parent',
      'communities',
      (rows) => Object.assign(rows[0] ?? {}, { parent: 77 }),
      'communities.jsonl: row 1: column "parent" names the community "77"',
    ],
    [
      'a report on nothing',
      'reports',
      (rows) => Object.assign(rows[1] ?? {}, { community: 50 }),
      'reports.jsonl: row 2: column "community" names the community "50"',
    ],
    [
      'no number',
      'relationships',
      (rows) => Object.assign(rows[3] ?? {}, { weight: 'heavy' }),
      'relationships.jsonl: row 4: column "weight" is',
    ],
    [
      'no list',
      'text_units',
      (rows) => Object.assign(rows[0] ?? {}, { entityIds: 'all' }),
      'text_units.jsonl: row 1: column "entity_ids" is',
    ],
  ])('%s', async (_, table, change, said) => {
    const failure = await readIndex(copy(table, change)).catch((error: unknown) => String(error))
    expect(failure).toContain(said)
    expect(failure).not.toContain('\n')
  })

  test('a line that is no JSON, and a table that is not there', async () => {
    const folder = copy()
    writeFileSync(join(folder, 'entities.jsonl'), '{"id": 0,')
    await expect(readIndex(folder)).rejects.toThrow('entities.jsonl: row 1 (line 1) cannot be read as JSON')
    rmSync(join(folder, 'entities.jsonl'))
    await expect(readIndex(folder)).rejects.toThrow('contains no table entities (entities or create_final_entities')
    writeFileSync(join(folder, 'entities.parquet'), 'PAR1 no')
    await expect(readIndex(folder)).rejects.toThrow('entities.parquet: cannot be read as Parquet')
  })
})

test('children are those of their column, where it is there; one that is no community is told', async () => {
  const cut = copy('communities', (rows) => {
    Object.assign(rows[0] ?? {}, { children: [7] })
  })
  expect((await readIndex(cut)).communities[0]?.children).toEqual([7])
  const wrong = copy('communities', (rows) => {
    Object.assign(rows[0] ?? {}, { children: [7, 99] })
  })
  await expect(readIndex(wrong)).rejects.toThrow('row 1: column "children" names the community 99, which is not there')
})

test('of a newer release: what is understood is read, and columns that are not are named', async () => {
  expect((await readIndex(dulce)).unread).toEqual([])
  const newer = copy('text_units', (rows) => {
    for (const row of rows) Object.assign(row, { document_id: row['docId'], turn_role: 'user', turn_index: null })
  })
  const read = await readIndex(newer)
  expect(read.unread).toEqual(['textUnits.turn_role'])
  const index = await graphrag.index(chunks, fakeModels(), graphrag.options.parse({ index: newer }))
  expect(index.warnings?.()).toMatchObject({
    'columns of the published index that are not understood, and not read: textUnits.turn_role': 1,
  })
})

test('Parquet of release 1 says the same: other file names, uuids, document lists, no degrees, parents or children', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-graphrag-'))
  const old = {
    entities: 'create_final_entities',
    relationships: 'create_final_relationships',
    communities: 'create_final_communities',
    reports: 'create_final_community_reports',
    text_units: 'create_final_text_units',
  }
  const uuid = (kind: string, id: unknown) => `${kind}-${String(id)}`
  const ids = (kind: string, value: unknown) => (value as readonly unknown[]).map((id) => uuid(kind, id))
  const shaped: Record<string, (row: Record<string, unknown>) => Record<string, unknown>> = {
    entities: ({ id, title, type, description, textUnitIds }) => ({
      id: uuid('e', id),
      human_readable_id: id,
      title,
      type,
      description,
      text_unit_ids: ids('t', textUnitIds),
    }),
    relationships: ({ id, source, target, description, weight, textUnitIds }) => ({
      id: uuid('r', id),
      human_readable_id: id,
      source,
      target,
      description,
      weight: Number(weight) + 0.5,
      text_unit_ids: ids('t', textUnitIds),
    }),
    communities: ({ id, level, title, entityIds, relationshipIds, textUnitIds }) => ({
      id: uuid('c', id),
      community: id,
      level,
      title,
      entity_ids: ids('e', entityIds),
      relationship_ids: ids('r', relationshipIds),
      text_unit_ids: ids('t', textUnitIds),
    }),
    reports: ({ community, level, title, summary, fullContent, rank }) => ({
      community,
      level,
      title,
      summary,
      full_content: fullContent,
      rank: Number(rank) + 0.25,
    }),
    text_units: ({ id, text, tokens, entityIds, relationshipIds }) => ({
      id: uuid('t', id),
      text,
      n_tokens: tokens,
      document_ids: ['d'],
      entity_ids: ids('e', entityIds),
      relationship_ids: ids('r', relationshipIds),
    }),
  }
  for (const [table, name] of Object.entries(old)) {
    const rows = rowsOf(table).map((row) => shaped[table]?.(row) ?? {})
    const columns = Object.keys(rows[0] ?? {})
    parquetWriteFile({
      filename: join(folder, `${name}.parquet`),
      columnData: columns.map((column) => ({ name: column, data: rows.map((row) => row[column]) })),
    })
  }
  const [read, expected] = [await readIndex(folder), await readIndex(dulce)]
  expect(read.entities).toEqual(
    expected.entities.map((entity) => ({ ...entity, frequency: entity.textUnitIds.length })),
  )
  expect(read.relationships.map(({ combinedDegree }) => combinedDegree)).toEqual(
    expected.relationships.map(({ combinedDegree }) => combinedDegree),
  )
  expect(read.communities.map(({ parent, children }) => [parent, children])).toEqual(
    expected.communities.map(({ parent, children }) => [parent, children]),
  )
  expect(read.textUnits.map(({ entityIds }) => entityIds)).toEqual(expected.textUnits.map(({ entityIds }) => entityIds))
  renameSync(join(folder, 'create_final_entities.parquet'), join(folder, 'entities.parquet'))
  expect((await readIndex(folder)).entities).toHaveLength(39)
})
