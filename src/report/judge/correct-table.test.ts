import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import type { Manifest } from '../../records.ts'
import {
  fillLabels,
  manifest,
  results,
  sampleOf,
  scorer,
  type Folder,
  type Made,
} from '../../test-support/judged-results.ts'
import { madeRun } from '../../test-support/fake-run.ts'
import { notesOf } from '../render/notes.ts'
import { pairsTable } from '../render/decision.ts'
import { scoreTable } from '../render/tables.ts'
import { tableOf, type Table } from '../table/table.ts'
import { readLabels } from './read-labels.ts'
import { withLabels } from './correct-table.ts'

const fullManifest: Manifest = { ...madeRun({ rows: {} }).manifest, ...manifest, scorers: [scorer] }
const two: Manifest = { ...fullManifest, methods: manifest.methods.slice(0, 2) }

/** People accept 80 % of the answers of `good` and 45 % of `poor`; the judge most of what `poor` says. */
const flatteredRow = (questions = 200, of: Manifest = two): Folder => {
  const random = mulberry32(4)
  const fixture = Array.from({ length: questions }, (_, question): readonly Made[] => {
    const good = random() < 0.8 ? 1 : 0
    const poor = random() < 0.45 ? 1 : 0
    return [
      { row: 'good', question, human: good, judge: random() < 0.85 ? good : 0 },
      { row: 'poor', question, human: poor, judge: random() < 0.9 ? 1 : poor },
    ]
  })
  return results(fixture.flat(), of)
}

async function tables(folder: Folder, size: number, more: Partial<Manifest> = {}): Promise<readonly [Table, Table]> {
  const of = { ...folder.manifest, ...more }
  const { trials, scores } = folder.journals
  const journals = { trials, scores, timings: async function* () {} }
  const plain = await tableOf(of, journals)
  const text = fillLabels((await sampleOf(folder, { size })).answers, folder.verdictOf)
  return [plain, await withLabels(plain, of, journals, await readLabels('l.csv', text, () => [0, 1]))]
}

describe('comparison corrected by human labels', () => {
  test('reverses a significant difference that flatters the judge', async () => {
    const [plain, correctedTable] = await tables(flatteredRow(), 60)
    const better = ({ comparison }: Table) => comparison?.rows.map((row) => row.better)
    expect(better(plain)).toEqual([[], ['a']])
    expect(better(correctedTable)).toEqual([['b'], []])
    const pair = correctedTable.comparison?.pairs[0]
    expect(pair).toMatchObject({ test: 't', labels: { questions: 60 } })
    expect(pair?.labels?.judge.difference).toBe(plain.comparison?.pairs[0]?.difference)
    expect(pair?.low).toBeLessThan(0.35)
    expect(pair?.high).toBeGreaterThan(0.35)
    const { head, rows } = scoreTable(two, correctedTable)
    expect(head.slice(0, 4)).toEqual(['', 'method', 'right, corrected', 'right, judge'])
    expect(rows.map((row) => [row[2]?.best ?? false, row[3]?.best ?? false])).toEqual([
      [true, false],
      [false, false],
    ])
    // the means of the compared rows are those that are shown
    const [first] = correctedTable.comparison?.rows ?? []
    expect(rows[0]?.[2]?.text).toMatch(new RegExp(`^${(100 * (first?.mean ?? NaN)).toFixed(1)} ±\\d+\\.\\d b$`))
    const notes = notesOf(two, correctedTable).join('\n')
    expect(notes).toContain('t test of differences corrected by labels (PPI++), p <= 0.05')
    if (!correctedTable.comparison) throw new Error('nothing was compared')
    expect(pairsTable(correctedTable.comparison).head.at(-1)).toBe('difference by the judge')
  })

  test('subtracts the baseline, and tests equivalence of corrected differences', async () => {
    const compare = { baseline: { method: 'good', variant: '' }, margin: 0.6 }
    const [, { comparison }] = await tables(flatteredRow(), 60, { compare })
    expect(comparison?.pairs[0]?.difference).toBeLessThan(-0.2)
    expect(comparison?.pairs[0]?.pAdjusted).toBeLessThan(0.01)
    expect(comparison?.pairs[0]?.equivalence?.p).toBeLessThan(0.05)
    expect(comparison?.pairs[0]?.high).toBeLessThan(0)
  })

  test('compares nothing with too few labels', async () => {
    const [, few] = await tables(flatteredRow(), 19)
    expect(few.comparison).toBeUndefined()
    expect(few.notCompared).toBe('fewer than 20 questions have labels of two rows')
    expect(scoreTable(two, few).rows.map((row) => row[1]?.text)).toEqual(['–', '–'])
  })
})
