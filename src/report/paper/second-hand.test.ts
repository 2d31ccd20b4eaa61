import { expect, test } from 'vitest'
import { journalsOf, madeRun } from '../../test-support/fake-run.ts'
import { tableOf } from '../table/table.ts'
import { compare } from './compare-cells.ts'
import { printedOutcome } from './judge-claims.ts'
import { cellTables } from './messages.ts'
import type { RunResult } from './our-cells.ts'
import { paperTable } from './paper-table.ts'

const row = { method: 'bm25', variant: '' }

const { manifest } = madeRun({ rows: {} })

const scorer = manifest.scorers[0]!

const paper = paperTable.parse({
  paper: 'A paper',
  table: 'Table 1',
  runs: { a: { configs: ['a.yaml'] } },
  rows: { Digest: { method: 'bm25' }, Printed: { method: 'bm25' } },
  columns: { score: { run: 'a', scorer: scorer.scorer, metric: 'm', unit: 'percent', tolerance: 2 } },
  cells: [
    { row: 'Digest', column: 'score', value: 61, secondHand: 'notes of a reader' },
    { row: 'Printed', column: 'score', value: 60 },
  ],
  claims: [{ claim: 'better', place: 'Abstract', columns: ['score'], order: ['Digest', 'Printed'] }],
})

async function runOf(): Promise<RunResult> {
  const run = {
    ...manifest,
    methods: [{ ...row, id: 'bm25', use: 'bm25', options: {} }],
    scorers: [{ ...scorer, id: 's', judge: false, columns: [{ metric: 'm' }] }],
  }
  const lines = [0, 1, 0, 1, 1].map((value, index) => ({
    ...row,
    trial: `bm25.${index}`,
    question: String(index),
    methodId: 'bm25',
    repeat: 0,
    scorer: scorer.scorer,
    scorerId: 's',
    run: 0,
    subsets: [],
    metrics: { m: value },
    usage: { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 },
  }))
  return { table: await tableOf(run, journalsOf({ scores: lines })) }
}

test('prints a second-hand number with a mark and does not compare it', async () => {
  const cells = compare(paper, new Map([['a', await runOf()]]))
  expect(cells).toMatchObject([
    {
      row: 'Digest',
      paper: 61,
      difference: null,
      outcome: 'not comparable',
      reason: "the paper's number is second-hand: notes of a reader",
    },
    { row: 'Printed', paper: 60, difference: expect.closeTo(0, 12) as unknown },
  ])
  // nor is it one of the rows that our value is as near to
  expect(cells[1]!.asNear).toEqual([])
  const texts = cellTables(paper, cells, false)[0]?.table.rows.map((cellsOfRow) => cellsOfRow[1]?.text)
  expect(texts).toEqual(['61.00 (second-hand)', '60.00'])
})

test('does not support a claim with a second-hand number', () => {
  expect(printedOutcome(paper, paper.claims[0]!)).toBe('no number')
})
