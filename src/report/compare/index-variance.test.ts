import { expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { indexLines, journalsOf, madeRun, questionsWith } from '../../test-support/fake-run.ts'
import { diffRuns } from '../diff/diff-runs.ts'
import { notesOf } from '../render/notes.ts'
import { tableOf, type Table } from '../table/table.ts'

/** Scores of 60 questions; each repeat's are moved by `luck`. */
function row(seed: number, shifts: readonly number[]) {
  const random = mulberry32(seed)
  return questionsWith(60, () => {
    const question = random()
    return shifts.map((shift) => [0.3 * question + 0.1 * random() + shift])
  })
}

/** A run of which the rows named have an index for each repeat. */
function runWith(rows: Readonly<Record<string, ReturnType<typeof row>>>, ownIndexes: readonly string[]) {
  const repeats = Object.values(Object.values(rows)[0] ?? {})[0]?.length ?? 0
  const { manifest, trials, scores } = madeRun({ rows, manifest: { repeats } })
  const lines = indexLines(manifest, (method) => (ownIndexes.includes(method) ? repeats : 1))
  return { manifest, ...journalsOf({ trials: [...lines, ...trials], scores }) }
}

/** The table of rows a and b, of which those named have an index for each repeat. */
async function tableWith(
  rows: Readonly<Record<'a' | 'b', ReturnType<typeof row>>>,
  ownIndexes: readonly string[],
): Promise<{ readonly table: Table; readonly notes: string }> {
  const { manifest, ...journals } = runWith(rows, ownIndexes)
  const table = await tableOf(manifest, journals)
  return { table, notes: notesOf(manifest, table).join('\n') }
}

const pairOf = ({ table: { comparison } }: { readonly table: Table }) => comparison?.pairs[0]
const shiftedRows = { a: row(1, [0.2, 0.02, 0.1]), b: row(2, [0, 0, 0]) }

test('includes between-index variance in errors and tests from three indexes on', async () => {
  const [nestedTable, crossedTable] = [await tableWith(shiftedRows, []), await tableWith(shiftedRows, ['a'])]
  expect(pairOf(nestedTable)).toMatchObject({ test: 'sign flips', p: expect.closeTo(1e-4, 4) })
  const pair = pairOf(crossedTable)
  expect(pair).toMatchObject({ test: 't', luck: { indexes: 3, deviation: expect.closeTo(0.09, 2) } })
  expect(pair?.p).toBeGreaterThan(0.1)
  expect(pair?.difference).toBe(pairOf(nestedTable)?.difference)
  // the error of three indexes alone
  expect(pair?.error).toBeGreaterThan(0.09 / Math.sqrt(3))
  expect(pair?.degrees).toBeLessThan(3)
  const cell = ({ table }: typeof nestedTable, name: string) => table.cells.find(({ method }) => method === name)
  expect(cell(crossedTable, 'a')?.luck?.deviation).toBeCloseTo(0.09, 2)
  expect(cell(crossedTable, 'a')?.error).toBeGreaterThan(3 * (cell(nestedTable, 'a')?.error ?? NaN))
  expect(cell(crossedTable, 'b')).toEqual(cell(nestedTable, 'b'))
  expect(crossedTable.notes).toContain('t test with between-index variance in the error')
  expect(crossedTable.notes).toMatch(/Standard deviation between indexes, .*: a 9\.\d\./)
  expect(nestedTable.notes).not.toContain('luck')
})

test('cancels between-index variance that two rows share', async () => {
  const shifts = [0.2, 0.02, 0.1]
  const result = await tableWith({ a: row(1, shifts), b: row(2, shifts) }, ['a', 'b'])
  expect(pairOf(result)?.luck?.deviation).toBeLessThan(0.01)
  expect(pairOf(result)?.error).toBeLessThan(0.03)
  expect(result.table.cells.filter(({ luck: ownIndexes }) => (ownIndexes?.deviation ?? 0) > 0.08)).toHaveLength(2)
})

test('leaves between-index variance of two indexes out of the test, and a note says so', async () => {
  const two = { a: row(1, [0.2, 0.02]), b: row(2, [0, 0]) }
  const [nestedTable, crossedTable] = [await tableWith(two, []), await tableWith(two, ['a'])]
  const { luck: shifts, ...pair } = pairOf(crossedTable) ?? {}
  expect(shifts).toEqual({ indexes: 2, deviation: null })
  expect(pair).toEqual(pairOf(nestedTable))
  expect(crossedTable.notes).toContain('hold from 3 indexes on: a unknown (2 indexes).')
})

test('includes between-index variance in the tests of diff', async () => {
  const diffOf = (shifts: readonly number[], ownIndexes: readonly string[]) =>
    diffRuns(
      { name: 'old', ...runWith({ a: row(1, shifts) }, ownIndexes) },
      { name: 'new', ...runWith({ a: row(2, [0, 0, 0].slice(0, shifts.length)) }, ownIndexes) },
      undefined,
      0.05,
    )
  const [nestedTable, crossedTable] = [await diffOf([0.2, 0.02, 0.1], []), await diffOf([0.2, 0.02, 0.1], ['a'])]
  expect(nestedTable.rows[0]).toMatchObject({ verdict: 'worse', test: { test: 'sign flips' } })
  expect(crossedTable.rows[0]).toMatchObject({
    verdict: 'no difference shown',
    test: { test: 't', luck: { indexes: 3 }, difference: nestedTable.rows[0]?.test?.difference },
  })
  expect(crossedTable.rows[0]?.test?.lost?.largest).toBeGreaterThan(
    (nestedTable.rows[0]?.test?.lost?.largest ?? NaN) + 0.1,
  )
  const two = await diffOf([0.2, 0.02], ['a'])
  expect(two.rows[0]?.test).toMatchObject({ test: 'sign flips', luck: { indexes: 2, deviation: null } })
})
