import { expect, test } from 'vitest'
import { paperTable } from './paper-table.ts'
import type { PaperTable } from './schema.ts'

const accuracy = { run: 'a', scorer: 'accuracy', metric: 'accuracy', unit: 'percent', tolerance: 2 } as const

const paper: PaperTable = paperTable.parse({
  paper: 'A paper',
  table: 'Table 1',
  runs: { a: { configs: ['a.yaml'] } },
  rows: { Ours: { method: 'gem' }, Torn: { method: 'torn' } },
  columns: { accuracy },
  cells: [{ row: 'Ours', column: 'accuracy', value: 60 }],
})

const cellsOf = (...cells: readonly object[]) => ({
  cells: cells.map((cell) => ({ row: 'Ours', column: 'accuracy', value: 1, ...cell })),
})
const claimWith = (claim: object) => ({ claims: [{ claim: 'c', place: 'p', columns: ['accuracy'], ...claim }] })
const statedTest = { says: 's', place: 'p', column: 'accuracy', row: 'Ours', than: 'Torn', p: 0.1, decimals: 1 }
const rows = { Ours: { method: 'gem', runs: { a: 'c' } }, Torn: {} }

test.each<[object, readonly (string | number)[], string]>([
  [cellsOf({ row: 'Owrs' }), ['cells', 0, 'row'], 'there is no row "Owrs"'],
  [cellsOf({ column: 'f1' }), ['cells', 0, 'column'], 'there is no column "f1"'],
  [{ columns: { accuracy: { ...accuracy, run: 'c' } } }, ['columns', 'accuracy', 'run'], 'there is no run "c"'],
  [{ rows }, ['rows', 'Ours', 'runs', 'a'], 'there is no run "c"'],
  [cellsOf({ value: 1 }, { value: 2 }), ['cells', 1, 'row'], 'this cell is listed twice'],
  [cellsOf({ perRun: [1, 2] }), ['cells', 0, 'perRun'], 'holds 2 runs, its column is the mean of 1'],
  [claimWith({ top: ['Owrs'] }), ['claims', 0], 'there is no row "Owrs"'],
  [claimWith({ top: ['Ours'], of: ['Torn', 'Ours'] }), ['claims', 0], 'this claim names a row twice'],
  [{ tests: [statedTest] }, ['tests', 0], 'the cell of "Ours" in "accuracy" needs perRun'],
  [claimWith({ columns: ['f1'], top: ['Ours'] }), ['claims', 0], 'there is no column "f1" in this file'],
  [
    claimWith({ columns: [['accuracy', 'accuracy']], top: ['Ours'] }),
    ['claims', 0],
    '"accuracy" is a score: only columns of tokens can be added up',
  ],
  [claimWith({ times: 'Ours', than: 'Torn', from: 2, to: 1 }), ['claims', 0], 'from must not be above to'],
  [claimWith({ widest: 'Ours', of: ['Torn'] }), ['claims', 0], 'needs a column whose lead is less'],
])('a table as data: %j is refused', (more, path, message) => {
  const result = paperTable.safeParse({ ...paper, ...more })
  expect(result.error?.issues[0]).toMatchObject({ path, message: expect.stringContaining(message) })
})
