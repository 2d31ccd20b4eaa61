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
import { pairsGrid } from '../render/decision.ts'
import { scoreGrid } from '../render/grid.ts'
import { tableOf, type Table } from '../table/table.ts'
import { readLabels } from './read-labels.ts'
import { withLabels } from './with-labels.ts'

const whole: Manifest = { ...madeRun({ rows: {} }).manifest, ...manifest, scorers: [scorer] }
const two: Manifest = { ...whole, methods: manifest.methods.slice(0, 2) }

/** People accept 80 % of the answers of `good` and 45 % of `poor`; the judge most of what `poor` says. */
const flattered = (questions = 200, of: Manifest = two): Folder => {
  const random = mulberry32(4)
  const made = Array.from({ length: questions }, (_, question): readonly Made[] => {
    const good = random() < 0.8 ? 1 : 0
    const poor = random() < 0.45 ? 1 : 0
    return [
      { row: 'good', question, human: good, judge: random() < 0.85 ? good : 0 },
      { row: 'poor', question, human: poor, judge: random() < 0.9 ? 1 : poor },
    ]
  })
  return results(made.flat(), of)
}

async function tables(folder: Folder, size: number, more: Partial<Manifest> = {}): Promise<readonly [Table, Table]> {
  const of = { ...folder.manifest, ...more }
  const { trials, scores } = folder.journals
  const journals = { trials, scores, meter: async function* () {} }
  const plain = await tableOf(of, journals)
  const text = fillLabels((await sampleOf(folder, { size })).answers, folder.verdictOf)
  return [plain, await withLabels(plain, of, journals, await readLabels('l.csv', text, () => [0, 1]))]
}

describe('rows whose judge people corrected', () => {
  test('a row that flatters the judge loses its letter, and the other earns one', async () => {
    const [plain, corrected] = await tables(flattered(), 60)
    const better = ({ comparison }: Table) => comparison?.rows.map((row) => row.better)
    expect(better(plain)).toEqual([[], ['a']])
    expect(better(corrected)).toEqual([['b'], []])
    const pair = corrected.comparison?.pairs[0]
    expect(pair).toMatchObject({ test: 't', labels: { questions: 60 } })
    expect(pair?.labels?.judge.difference).toBe(plain.comparison?.pairs[0]?.difference)
    expect(pair?.low).toBeLessThan(0.35)
    expect(pair?.high).toBeGreaterThan(0.35)
    const { head, rows } = scoreGrid(two, corrected)
    expect(head.slice(0, 4)).toEqual(['', 'method', 'right, corrected', 'right, judge'])
    expect(rows.map((row) => [row[2]?.best ?? false, row[3]?.best ?? false])).toEqual([
      [true, false],
      [false, false],
    ])
    // the means of the compared rows are those that are shown
    const [first] = corrected.comparison?.rows ?? []
    expect(rows[0]?.[2]?.text).toMatch(new RegExp(`^${(100 * (first?.mean ?? NaN)).toFixed(1)} ±\\d+\\.\\d b$`))
    const notes = notesOf(two, corrected).join('\n')
    expect(notes).toContain('t test of differences that labels of 60 questions correct (PPI++), p <= 0.05')
    expect(notes).toMatch(/by the judge alone: a and b \d+\.\d \(judge -\d+\.\d\)/)
    if (!corrected.comparison) throw new Error('nothing was compared')
    expect(pairsGrid(corrected.comparison).head.at(-1)).toBe('difference by the judge')
  })

  test('a baseline turns the pair, and sameness is tested on what the labels correct', async () => {
    const compare = { baseline: { method: 'good', variant: '' }, margin: 0.6 }
    const [, { comparison }] = await tables(flattered(), 60, { compare })
    expect(comparison?.pairs[0]?.difference).toBeLessThan(-0.2)
    expect(comparison?.pairs[0]?.pAdjusted).toBeLessThan(0.01)
    expect(comparison?.pairs[0]?.equivalence?.p).toBeLessThan(0.05)
    expect(comparison?.pairs[0]?.high).toBeLessThan(0)
  })

  test('too few labels compare nothing, rather than leave the verdict to the judge', async () => {
    const [, few] = await tables(flattered(), 19)
    expect(few.comparison).toBeUndefined()
    expect(few.notCompared).toBe('fewer than 20 questions have labels of two rows')
    expect(scoreGrid(two, few).rows.map((row) => row[1]?.text)).toEqual(['–', '–'])
  })
})
