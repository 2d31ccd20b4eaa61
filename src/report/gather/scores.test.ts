import { expect, test } from 'vitest'
import type { Manifest } from '../../records.ts'
import { madeTable, questionsWith, type MadeOutcome } from '../../test-support/fake-run.ts'
import type { Cell } from './estimate.ts'
import { scoreTable } from '../render/tables.ts'
import { notesOf } from '../render/notes.ts'

/**
 * The cell of the metric `words`, which is 12 wherever there is a score, in memory and with the manifest read back from
 * disk.
 */
async function cellsOf(range: readonly [number, number], outcome: (index: number) => MadeOutcome) {
  const withRange = (manifest: Manifest): Manifest => ({
    ...manifest,
    scorers: manifest.scorers.map((scorer) => ({ ...scorer, ranges: { words: range } })),
  })
  const cellOf = async (change: typeof withRange): Promise<Cell | undefined> => {
    const { table } = await madeTable({ rows: { a: questionsWith(4, outcome) } }, change)
    return table.cells.find(({ metric }) => metric === 'words')
  }
  const readBack = (manifest: Manifest): Manifest => JSON.parse(JSON.stringify(withRange(manifest))) as Manifest
  return [await cellOf(withRange), await cellOf(readBack)]
}

const oneFailed = (index: number): MadeOutcome => (index === 0 ? 'trial failed' : 1)

test.each([
  [[0, Infinity] as const, { mean: 12, least: 9, greatest: null }],
  [[-Infinity, 20] as const, { mean: 12, least: null, greatest: 14 }],
  [[0, 20] as const, { mean: 12, least: 9, greatest: 14 }],
])('bounds the mean after a failure by the range %j', async (range, bounds) => {
  for (const cell of await cellsOf(range, oneFailed)) expect(cell).toMatchObject(bounds)
})

test('clips intervals to the range of the metric', async () => {
  const clusters = questionsWith(4, (i) => `c${i >> 1}`)
  const { table } = await madeTable({ rows: { a: questionsWith(4, (i) => (i < 2 ? 0.2 : 0.4)) }, clusters })
  const cell = table.cells.find(({ metric }) => metric === 'accuracy')
  // t of one degree: .3 ± 1.27
  expect(cell).toMatchObject({ error: expect.closeTo(0.1, 12) as number, low: 0, high: 1 })
})

/** The titles, the texts of row a by title, and the notes of a table. */
async function shownOf(fixture: Parameters<typeof madeTable>[0]) {
  const { manifest, table } = await madeTable(fixture)
  const { head, rows } = scoreTable(manifest, table)
  const textOf = (title: string, row = 0) => rows[row]?.[head.indexOf(title)]?.text
  return { head, textOf, notes: notesOf(manifest, table).join('\n') }
}

test('shows bounds of the mean where more than 2 % of questions failed', async () => {
  const of = (failed: number) => questionsWith(100, (i) => (i < failed ? 'trial failed' : i % 2))
  const many = await shownOf({ rows: { a: of(3), b: of(0) } })
  expect(many.head).toEqual(expect.arrayContaining(['accuracy, least', 'accuracy, greatest']))
  expect([many.textOf('accuracy, least'), many.textOf('accuracy, greatest')]).toEqual(['49.0', '52.0'])
  expect([many.textOf('accuracy, least', 1), many.textOf('accuracy, greatest', 1)]).toEqual(['50.0', '50.0'])
  expect(many.notes).toContain('least and greatest: means if all failed questions')
  const few = await shownOf({ rows: { a: of(2), b: of(0) } })
  expect(few.head).not.toContain('accuracy, least')
  expect(few.notes).not.toContain('least and greatest')
})
