import { describe, expect, test } from 'vitest'
import type { Manifest, ScorerRecord } from '../../records.ts'
import { madeRun, scorerRecord, tableCell, tableRow, usageCell } from '../../test-support/fake-run.ts'
import type { UsageCell } from '../gather/usage.ts'
import type { Cell } from '../gather/estimate.ts'
import type { Table } from '../table/table.ts'
import { columnsOf } from './columns.ts'
import { render } from './formats.ts'
import { scoreTable } from './tables.ts'

const scorer = (label: string, more: Partial<ScorerRecord> = {}): ScorerRecord =>
  scorerRecord(label, { judge: true, columns: [{ metric: 'f1', label: 'F1' }], ...more })

const cell = (name: string, more: Partial<Cell> = {}): Cell =>
  tableCell({ scorer: name, metric: 'f1', mean: 0.5, n: 4, least: 0.5, greatest: 0.5, ...more })

const spent = (phase: UsageCell['phase'], calls: number, prompt = 0, completion = 0, embedded = 0): UsageCell => {
  const tokens = { promptTokens: prompt, completionTokens: completion, embeddedTokens: embedded }
  return usageCell('bm25', phase, { calls, ...tokens, milliseconds: 7 })
}

const manifestOf = (...scorers: readonly ScorerRecord[]): Manifest => ({
  ...madeRun({ rows: {} }).manifest,
  judgeRuns: 5,
  scorers,
  methods: [{ method: 'bm25', variant: '', id: 'b', use: 'bm25', options: {} }],
})

const tableWith = (cells: readonly Cell[], usage: readonly UsageCell[] = [], more: object = {}): Table => ({
  name: 'tiny',
  hash: 'abcd1234',
  dataset: 'toy',
  cells,
  usage,
  rows: [
    tableRow('bm25', {
      trials: 4,
      failed: 1,
      failedScores: 3,
      failures: { gone: 1 },
      scoreFailures: { unread: 3 },
      passages: 2,
      contextTokens: 80,
      costs: { index: { tokens: 0, seconds: 0 }, question: { tokens: 806.75 }, judge: null },
      ...more,
    }),
  ],
})

const titles = (...scorers: readonly ScorerRecord[]): readonly string[] =>
  columnsOf(manifestOf(...scorers), tableWith(scorers.map((one) => cell(one.scorer)))).map(({ label }) => label)

test.each([
  ['a scorer under its own name', [scorer('judge')], ['F1']],
  ['a scorer under a label', [scorer('strict', { use: 'judge' })], ['strict: F1']],
  ['two uses of one scorer', [scorer('judge'), scorer('b2', { use: 'judge' })], ['judge: F1', 'b2: F1']],
  ['two scorers with one title', [scorer('squad'), scorer('musique')], ['squad: F1', 'musique: F1']],
  ['a scorer in a file', [scorer('mine', { use: '/home/me/mine.ts' })], ['F1']],
])('titles of columns: %s', (_what, scorers, expected) => {
  expect(titles(...scorers)).toEqual(expected)
})

describe('columns of scores', () => {
  test('are plain numbers where the metric is no share', () => {
    const steps = scorer('steps', { columns: [{ metric: 'f1', label: 'steps', unit: 'number' }] })
    const manifest = manifestOf(steps)
    const both = { ...manifest, methods: [...manifest.methods, { ...manifest.methods[0]!, method: 'vector' }] }
    const one = tableWith([cell('steps', { mean: 12.25, error: 0.5 }), cell('steps', { method: 'vector', mean: 3 })])
    const table = { ...one, rows: both.methods.flatMap(({ method }) => one.rows.map((row) => ({ ...row, method }))) }
    expect(scoreTable(both, table).rows.map(([, score]) => score)).toEqual([
      { text: '12.25 ±0.50', score: { mean: '12.25', letters: '' } },
      { text: '3.00', score: { mean: '3.00', letters: '' } },
    ])
    expect(render('md', both, table)).toContain('Scores in percent (as numbers: steps)')
  })

  test('come with the extraction precision where a row extracts names', () => {
    const one = tableWith([cell('judge')], [], { names: { checked: 1240, grounded: 961 } })
    const { head, rows } = scoreTable(manifestOf(scorer('judge')), one)
    expect([head.at(-1), rows[0]?.at(-1)?.text]).toEqual(['grounded', '77.5 % of 1,240'])
    const none = tableWith([cell('judge')], [], { names: { checked: 0, grounded: 0 } })
    expect(scoreTable(manifestOf(scorer('judge')), none).rows[0]?.at(-1)?.text).toBe('–')
  })

  test('come with failed trials apart from failed scores', () => {
    const { head, rows } = scoreTable(manifestOf(scorer('judge')), tableWith([cell('judge')]))
    expect(head).toEqual(['method', 'F1', 'trials', 'failed trials', 'failed scores', 'context tokens'])
    expect(rows[0]?.map(({ text }) => text)).toEqual(['bm25', '50.0', '4', '1', '3', '80'])
  })
})

test('columns of costs have one CSV line per row and phase, without machine-dependent values', () => {
  const usage = [spent('index', 2, 9000, 10, 500), spent('retrieve', 4, 0, 0, 40), spent('answer', 4, 3221, 6)]
  const [head, ...lines] = render('usage-csv', manifestOf(), tableWith([], usage)).trimEnd().split('\n')
  expect(head).toBe(
    'dataset,method,variant,phase,trials,calls,promptTokens,completionTokens,embeddedTokens,estimated,money',
  )
  expect(lines).toEqual([
    'toy,bm25,,index,4,2,9000,10,500,0,',
    'toy,bm25,,retrieve,4,4,0,0,40,0,',
    'toy,bm25,,answer,4,4,3221,6,0,0,',
  ])
})
