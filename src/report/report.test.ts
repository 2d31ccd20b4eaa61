import { describe, expect, test } from 'vitest'
import { journalsOf, madeRun, scoreLine, scorerRecord, trialLine } from '../test-support/fake-run.ts'
import type { IndexLine, Manifest, MeterLine, ScoreLine, TrialLine } from '../records.ts'
import type { Usage } from '../types.ts'
import { differences } from './differences.ts'
import { escapeMarkdown, render } from './render/formats.ts'
import { escapeLatex } from './render/latex.ts'
import { costTable, scoreTable } from './render/tables.ts'
import { notesOf } from './render/notes.ts'
import { conditionsOf } from './render/conditions.ts'
import { tableOf, type Table } from './table/table.ts'
import { moneyOf, noUsage } from './gather/usage.ts'

const usage = (calls = 0, promptTokens = 0): Usage => ({ ...noUsage, calls, promptTokens })

const plain = madeRun({ rows: {} }).manifest

const manifest: Manifest = {
  ...plain,
  repeats: 2,
  dataset: { ...plain.dataset, questions: 2 },
  models: {
    complete: { provider: 'extractive', model: '', parameters: {} },
    embed: { provider: 'minilm', model: '', parameters: {} },
    judge: { provider: 'extractive', model: '', parameters: {} },
  },
  offline: ['extractive'],
  prompts: { 'answer-choice': { version: 1, hash: 'aa' } },
  methods: [
    { method: 'bm25', variant: '', id: 'b', use: 'bm25', options: {} },
    { method: 'vector', variant: 'k=2', id: 'v', use: 'vector', options: {} },
    { method: 'oracle', variant: '', id: 'o', use: 'oracle', options: {}, context: 'unlimited' },
  ],
  scorers: [
    scorerRecord('accuracy', {
      kinds: ['choice'],
      columns: [{ metric: 'accuracy' }, { metric: 'accuracy', subset: 'hard', label: 'hard' }],
    }),
  ],
}

const trial = (methodId: string, id: string, repeat: number, outcome: Partial<TrialLine>): TrialLine =>
  trialLine(methodId, id, {
    repeat,
    question: { id, text: '', reference: { kind: 'choice', options: ['x', 'y'], correct: 0 }, tags: ['hard'] },
    usage: { retrieve: usage(), answer: usage(1, 10) },
    ...outcome,
  })
const score = (methodId: string, id: string, repeat: number, accuracy: number, subsets: string[] = []): ScoreLine =>
  scoreLine(methodId, id, { repeat, scorerId: 'accuracy', subsets, metrics: { accuracy } })
const success = { answer: { text: '1', choice: 0 } }
const failure = { failure: { phase: 'answer', kind: 'server', message: 'gone' } } as const

const tabulate = (
  trials: (IndexLine | TrialLine)[],
  scores: ScoreLine[],
  meterLines: MeterLine[] = [],
): Promise<Table> => {
  return tableOf(manifest, journalsOf({ trials, scores, meter: meterLines }))
}
const cell = (table: Table, method: string, subset = 'all') =>
  table.cells.find(
    (candidate) => candidate.method === method && candidate.subset === subset && candidate.metric === 'accuracy',
  )

describe('table', () => {
  test('excludes a failed trial from means, and counts it in each of its subsets', async () => {
    const table = await tabulate([trial('b', 'q1', 0, failure), trial('b', 'q2', 0, success)], [score('b', 'q2', 0, 1)])
    expect(cell(table, 'bm25')).toMatchObject({ mean: 1, n: 1, failed: 1, least: 0.5, greatest: 1 })
    expect(cell(table, 'bm25', 'hard')).toMatchObject({ mean: null, n: 0, failed: 1 })
    expect(table.rows[0]).toMatchObject({ trials: 2, failed: 1 })
  })

  test('drops a failure after a later success', async () => {
    const table = await tabulate([trial('b', 'q1', 0, failure), trial('b', 'q1', 0, success)], [score('b', 'q1', 0, 1)])
    expect(table.rows[0]).toMatchObject({ trials: 1, failed: 0 })
    expect(cell(table, 'bm25')?.failed).toBe(0)
  })

  test('counts failed scores, and keeps a row whose trials all failed', async () => {
    const failedScore: ScoreLine = {
      ...score('b', 'q1', 0, 0),
      failure: { phase: 'judge', kind: 'reply', message: '' },
    }
    delete (failedScore as { metrics?: unknown }).metrics
    const table = await tabulate([trial('b', 'q1', 0, success), trial('v', 'q1', 0, failure)], [failedScore])
    expect(cell(table, 'bm25')).toMatchObject({ mean: null, failed: 1 })
    expect(cell(table, 'vector')).toMatchObject({ variant: 'k=2', mean: null, failed: 1 })
    expect(notesOf(manifest, table).join('\n')).toContain('Failed trials, not in the means: vector (k=2) 1 (gone).')
    expect(scoreTable(manifest, table).rows[0]?.[1]?.text).toBe('–')
  })

  test('reports cached calls and durations in usage', async () => {
    const meterLines: MeterLine = { method: 'bm25', variant: '', phase: 'answer', cached: 3, milliseconds: 12.4 }
    const table = await tabulate([], [], [meterLines, meterLines])
    expect(table.usage.find((candidate) => candidate.method === 'bm25' && candidate.phase === 'answer')).toMatchObject({
      cached: 6,
      milliseconds: 25,
    })
  })
})

test('computes costs from prices, and shows a dash where a price is missing', async () => {
  const price = { prompt: 2, completion: 10, embedding: 0.5 }
  const remote = { ...manifest.models.complete, baseUrl: 'https://models.test' }
  const pricedModel: Manifest = {
    ...manifest,
    models: { complete: { ...manifest.models.complete, price }, embed: remote, judge: remote },
  }
  const tokens = { calls: 1, promptTokens: 1000, completionTokens: 100, embeddedTokens: 0, estimated: 0 }
  expect(moneyOf(pricedModel.models, 'answer', tokens)).toBeCloseTo(0.003, 12)
  expect(moneyOf(pricedModel.models, 'index', { ...tokens, embeddedTokens: 5 })).toBeUndefined()
  expect(moneyOf(manifest.models, 'answer', tokens)).toBeUndefined()
  expect(moneyOf(pricedModel.models, 'judge', tokens)).toBeUndefined()
  const table = await tabulate([trial('b', 'q1', 0, success)], [])
  expect(costTable(manifest, table).head).not.toContain('money')
})

describe('rendered tables', () => {
  /** Scores of bm25 and vector on ten questions; the oracle has every one right. */
  const comparedRows = (better: number) => {
    const questions = Array.from({ length: 10 }, (_, i) => `q${i}`)
    return tabulate(
      ['b', 'v', 'o'].flatMap((row) => questions.map((question) => trial(row, question, 0, success))),
      questions.flatMap((question, i) => [
        score('b', question, 0, 0.5 + i / 100),
        score('v', question, 0, i < better ? 0.25 : 0.75),
        score('o', question, 0, 1),
      ]),
    )
  }

  test('mark as best a row that is significantly better than every other, never a reference row', async () => {
    const table = await comparedRows(10)
    const text = render('md', manifest, table)
    expect(text).toContain('**54.5 ±1.0 b**')
    expect(text).toMatch(/\| oracle † +\| +100\.0 \|/)
    expect(text).toContain('accuracy: 1 of 1 pair differs (paired sign flips, p ')
    expect(text).toContain('Offline stand-in (extractive)')
    expect(render('csv', manifest, table).split('\n')[1]).toMatch(
      /^toy,bm25,,accuracy,accuracy,all,0\.545,10,10,0\.0095\d*,0\.52\d*,0\.56\d*,0\.545,0\.545,1,,1,,0,0$/,
    )
    const latex = render('latex', manifest, table)
    expect(latex).toContain('\\textbf{54.5 [52.3, 56.7]\\textsuperscript{b}}')
    expect(latex).toContain('% Scores in percent; in brackets the 95 % interval of the mean over questions.\n')
    expect(latex).not.toContain('±')
    expect(latex).not.toContain('standard error')
    expect(JSON.parse(render('json', manifest, table))).toMatchObject({
      cells: expect.any(Array),
      usage: expect.any(Array),
    })
  })

  test('escape hostile text', () => {
    expect(escapeMarkdown('a|b <script>*x*\n[l](u)')).toBe('a\\|b &lt;script>\\*x\\* \\[l\\](u)')
    expect(escapeLatex('50% of $x_1 & \\input{a}~^')).toBe(
      '50\\% of \\$x\\_1 \\& \\textbackslash{}input\\{a\\}\\textasciitilde{}\\textasciicircum{}',
    )
  })
})

test('a separate answer model is named, priced for answers only, and reported as a difference', () => {
  const price = (prompt: number) => ({ price: { prompt, completion: 0, embedding: 0 } })
  const { complete } = manifest.models
  const answer = { provider: 'transformers', model: 'unifiedqa', parameters: {}, ...price(7) }
  const models = { ...manifest.models, complete: { ...complete, ...price(2) }, answer }
  const two = { ...manifest, models }
  expect(conditionsOf(two)).toContain('answers by transformers unifiedqa; other calls of the methods by extractive')
  expect(moneyOf(models, 'answer', usage(1, 1e6))).toBe(7)
  expect(moneyOf(models, 'index', usage(1, 1e6))).toBe(2)
  expect(differences([manifest, two]).join()).toContain('models.answer.model')
})
