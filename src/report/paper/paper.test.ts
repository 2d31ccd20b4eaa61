import { describe, expect, test } from 'vitest'
import { tableCell, tableRow, usageCell } from '../../test-support/fake-run.ts'
import type { Cell } from '../gather/estimate.ts'
import type { Table } from '../table/table.ts'
import { compare } from './compare-cells.ts'
import { cellTables, latencyTables } from './messages.ts'
import type { RunResult } from './our-cells.ts'
import { paperTable, partOfRuns } from './paper-table.ts'
import type { PaperTable } from './schema.ts'

const accuracy = { run: 'a', scorer: 'accuracy', metric: 'accuracy', unit: 'percent', tolerance: 2 } as const

const paperOf = (more: Readonly<Record<string, unknown>> = {}): PaperTable =>
  paperTable.parse({
    paper: 'A paper',
    table: 'Table 1',
    runs: { a: { configs: ['a.yaml'] }, b: { configs: ['b.yaml'] } },
    rows: {
      Ours: { method: 'gem' },
      Torn: { method: 'torn' },
      Swept: { method: 'gem', variant: 'k=2' },
      Later: {},
      Other: { method: 'gem', runs: { b: 'a' } },
    },
    columns: {
      accuracy,
      hard: { ...accuracy, subset: 'hard' },
      judged: { run: 'a', scorer: 'judge', metric: 'f1', unit: 'fraction', tolerance: 0.1, runs: 5 },
      tokens: { run: 'a', phases: ['retrieve', 'answer'], tokens: 'promptTokens', unit: 'thousands', tolerance: '10%' },
      recall: { run: 'a', scorer: 'judge', metric: 'recall', unit: 'fraction', tolerance: 0.1 },
      elsewhere: { ...accuracy, run: 'b' },
    },
    cells: [{ row: 'Ours', column: 'accuracy', value: 60 }],
    ...more,
  })

const cellOf = (more: Partial<Cell>): Cell => tableCell({ method: 'gem', n: 68, clusters: 68, ...more })

const table: Table = {
  name: 'toy',
  hash: '0',
  dataset: 'toy',
  rows: [tableRow('gem', { trials: 68 }), tableRow('torn', { trials: 68, failed: 53 })],
  cells: [
    cellOf({ mean: 0.61 }),
    cellOf({ subset: 'hard', n: 0 }),
    cellOf({ scorer: 'judge', metric: 'f1', mean: 0.48, error: 0.002 }),
    cellOf({ scorer: 'judge', metric: 'recall', mean: 0.5, error: 0.001, failed: 4 }),
    cellOf({ method: 'torn', mean: 0.6, n: 15, failed: 53 }),
  ],
  usage: [
    usageCell('gem', 'index', { promptTokens: 9_000_000 }),
    usageCell('gem', 'retrieve', { promptTokens: 5_000 }),
    usageCell('gem', 'answer', { promptTokens: 100_000 }),
  ],
}

const ran = new Map<string, RunResult>([
  ['a', { table }],
  ['b', { missing: ['no key'] }],
])

const comparedRows = (cell: Readonly<Record<string, unknown>>, runs: ReadonlyMap<string, RunResult> = ran) =>
  compare(paperOf({ cells: [cell] }), runs)[0]

describe('our cell compared with the paper’s', () => {
  test.each<[row: string, column: string, value: number, printed: object, expected: object]>([
    // without an error nothing can be told
    ['Ours', 'accuracy', 60, {}, { ours: 61, tolerance: 2, outcome: 'not determined', needed: null }],
    // tokens are counted
    ['Ours', 'tokens', 100, {}, { ours: 105, tolerance: 10, outcome: 'within' }],
    ['Ours', 'tokens', 90, {}, { ours: 105, tolerance: 9, outcome: 'above' }],
    // of another run than the column's
    ['Other', 'elsewhere', 60, {}, { ours: 61, tolerance: 2, outcome: 'not determined' }],
    // our error and the paper's are 0.002 each, on as many questions: 1.67 of .0028 are .0047, 2 of them .0056
    ['Ours', 'judged', 0.575, {}, { ours: 0.48, tolerance: 0.1, outcome: 'equivalent' }],
    ['Ours', 'judged', 0.586, {}, { ours: 0.48, outcome: 'different' }],
    // (.1 / 2.926)² less .002² is left for 68 · .002² / n
    ['Ours', 'judged', 0.579, {}, { ours: 0.48, outcome: 'not determined', needed: 1 }],
    // with the variance over its five runs that the paper prints, and with that of the runs that it lists
    ['Ours', 'judged', 0.575, { variance: 0.00006 }, { ours: 0.48, outcome: 'not determined' }],
    ['Ours', 'judged', 0.586, { perRun: [0.576, 0.586, 0.586, 0.586, 0.596] }, { outcome: 'not determined' }],
    ['Ours', 'judged', 0.579, { variance: 0.01 }, { outcome: 'not determined', needed: null }],
  ])('of %s in %s, printed as %d with %j, is %j', (row, column, value, printed, expected) => {
    const cell = { row, column, value, ...printed }
    const { ours: ourValue, ...result } = { ours: null, ...comparedRows(cell) }
    const { ours: target = ourValue, ...rest } = { ours: undefined, ...expected }
    expect(result).toMatchObject(rest)
    expect(ourValue).toBeCloseTo(Number(target), 10)
  })

  test('does not call 12.00 equivalent to 26.47 on 68 questions', () => {
    const cells = [cellOf({ mean: 0.12, error: 0.0397 }), ...table.cells.slice(1)]
    const runs = new Map<string, RunResult>([['a', { table: { ...table, cells } }]])
    const printedCells = (values: Readonly<Record<string, number>>) =>
      Object.entries(values).map(([row, value]) => ({ row, column: 'accuracy', value }))
    const [ownIndexes] = compare(paperOf({ cells: printedCells({ Ours: 26.47, Later: 17, Torn: 25 }) }), runs)
    // 14.47 less 2 · .0561 leaves 3.2, more than the tolerance of 2
    expect(ownIndexes).toMatchObject({ outcome: 'different' })
    const [near] = compare(paperOf({ cells: printedCells({ Ours: 15, Later: 9, Torn: 80 }) }), runs)
    expect(near).toMatchObject({ outcome: 'not determined', needed: null })
  })

  test("cannot show agreement where the paper's noise exceeds the tolerance", () => {
    const outcomeAt = (n: number, questions: number, tolerance: number) => {
      const error = Math.sqrt((0.6 * 0.4) / n)
      const cells = [cellOf({ mean: 0.61, error, n, clusters: n })]
      const runs = { a: { configs: ['a.yaml'], questions }, b: { configs: ['b.yaml'] } }
      const columns = { accuracy: { ...accuracy, tolerance } }
      const paper = paperOf({ runs, columns, claims: [], cells: [{ row: 'Ours', column: 'accuracy', value: 61 }] })
      return compare(paper, new Map<string, RunResult>([['a', { table: { ...table, cells } }]]))[0]
    }
    expect(outcomeAt(1638, 1638, 2)).toMatchObject({ outcome: 'not determined', needed: null })
    // 2 · .6 · .4 / (.06 / 2.926)² is 1,142 each
    expect(outcomeAt(1200, 1200, 6)).toMatchObject({ outcome: 'equivalent' })
    expect(outcomeAt(100, 1638, 6)).toMatchObject({ outcome: 'not determined', needed: 877 })
  })

  test.each([
    [{ row: 'Ours', column: 'elsewhere', value: 60 }, 'not run', 'the run "b" lacks something that it needs'],
    [{ row: 'Later', column: 'accuracy', value: 60 }, 'not run', 'gembench has no method for "Later" yet'],
    [{ row: 'Swept', column: 'accuracy', value: 60 }, 'not run', 'the run "a" has no row "gem (k=2)"'],
    [{ row: 'Ours', column: 'hard', value: 60 }, 'not run', 'gem has no value of accuracy.accuracy on hard'],
    [{ row: 'Ours', column: 'accuracy', value: null }, 'not comparable', 'the paper gives no number for this cell'],
  ])('of %j is %s: %s', (cell, outcome, reason) => {
    expect(comparedRows(cell)).toMatchObject({ outcome, reason, tolerance: null })
  })

  test.each([
    [{ row: 'Torn', column: 'accuracy', value: 60 }, 15, 53, '53 of 68 trials of torn failed'],
    [{ row: 'Torn', column: 'tokens', value: 60 }, 68, 53, '53 of 68 trials of torn failed'],
    [{ row: 'Ours', column: 'recall', value: 0.5 }, 68, 4, '4 scores of gem failed: judge.recall'],
  ])('of %j is not comparable after failures', (cell, n, failed, reason) => {
    expect(comparedRows(cell)).toMatchObject({ n, failed, outcome: 'not comparable', tolerance: null, reason })
  })

  test('reports every reason, that of the run first', () => {
    const runs = new Map<string, RunResult>([['a', { table, incomparable: 'an offline variant' }]])
    expect(comparedRows({ row: 'Torn', column: 'accuracy', value: null }, runs)).toMatchObject({
      outcome: 'not comparable',
      difference: null,
      reason: 'an offline variant; 53 of 68 trials of torn failed; the paper gives no number for this cell',
    })
  })

  test('does not scale the error of a subset to the number of all questions', () => {
    const cells = table.cells.map((cell) =>
      cell.subset === 'hard' ? { ...cell, mean: 0.5, error: 0.03, n: 20 } : cell,
    )
    const runs = { a: { configs: ['a.yaml'], questions: 68 }, b: { configs: ['b.yaml'] } }
    const paper = paperOf({ runs, cells: [{ row: 'Ours', column: 'hard', value: 50 }] })
    const [result] = compare(paper, new Map<string, RunResult>([['a', { table: { ...table, cells } }]]))
    // √2 · 3 points, and no number of questions makes up for the paper's own 3
    expect(result).toMatchObject({ tolerance: 2, outcome: 'not determined', needed: null })
  })

  test('prints a second-hand number with a mark and compares it with nothing', () => {
    const cells = [
      { row: 'Later', column: 'accuracy', value: 61, secondHand: 'notes of a reader' },
      { row: 'Ours', column: 'accuracy', value: 61, secondHand: 'notes of a reader' },
      { row: 'Other', column: 'judged', value: 0.48 },
      { row: 'Ours', column: 'judged', value: 0.48, secondHand: 'notes of a reader' },
    ]
    const paper = paperOf({ cells })
    const [, digest, printed] = compare(paper, ran)
    const reason = "the paper's number is second-hand: notes of a reader"
    expect(digest).toMatchObject({ paper: 61, difference: null, outcome: 'not comparable', reason })
    expect(printed).toMatchObject({ outcome: 'equivalent' })
    expect(cellTables(paper, compare(paper, ran))[0]?.table.rows[1]?.[1]?.text).toBe('61.00 (second-hand)')
  })

  test('leaves out cells of runs that are not requested', () => {
    const cells = ['accuracy', 'elsewhere'].map((column) => ({ row: 'Ours', column, value: 60 }))
    const paper = paperOf({ cells: [...cells, { row: 'Other', column: 'elsewhere', value: 60 }] })
    expect(partOfRuns(paper, ['b']).cells).toEqual([paper.cells[1]])
    expect(partOfRuns(paper, ['a']).cells).toEqual([paper.cells[0], paper.cells[2]])
  })

  test('shows variances of runs and latencies where the paper prints them', () => {
    const cells = table.cells.map((cell) => (cell.metric === 'f1' ? { ...cell, judgeVariance: 0.00004 } : cell))
    const usage = table.usage.map((cell) => ({ ...cell, calls: 68, milliseconds: 680 }))
    const runs = new Map<string, RunResult>([['a', { table: { ...table, cells, usage } }]])
    const more = { latency: 'Section 3', cells: [{ row: 'Ours', column: 'judged', value: 0.5, variance: 6e-6 }] }
    const paper = paperOf(more)
    const [texts] = cellTables(paper, compare(paper, runs))
    expect(texts?.table.rows.map((row) => row.at(-1)?.text)).toEqual(['6.00e-6 / 4.00e-5'])
    const [times] = latencyTables(paper, runs)
    expect(times?.title).toContain('Section 3')
    expect(times?.table.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['gem', '10.0', '10.0'],
      ['torn', 'no call', 'no call'],
    ])
    expect(latencyTables(paperOf(), runs)).toEqual([])
  })
})
