import { describe, expect, test } from 'vitest'
import { journalsOf, madeRun, questionsWith, type MadeRun } from '../../test-support/fake-run.ts'
import { describeAcross } from '../render/describe-across.ts'
import { scoredTableOf } from '../table/table.ts'
import { acrossRuns, type AcrossRuns, type ComparedRunScores } from './across-runs.ts'

type Rows = MadeRun['rows']

/** What several made runs say together; runs of one `data` share their questions. */
async function over(runs: readonly { readonly data: string; readonly rows: Rows }[]) {
  const comparedRows: ComparedRunScores[] = []
  for (const [index, { data, ...fixture }] of runs.entries()) {
    const { manifest, ...lines } = madeRun(fixture)
    const ofData = { ...manifest, dataset: { ...manifest.dataset, checksum: data } }
    comparedRows.push(...(await scoredTableOf(ofData, journalsOf(lines), { name: `run ${index}` })).runScores)
  }
  return acrossRuns(comparedRows)
}

function requireObject({ across, notAcross = '' }: ReturnType<typeof acrossRuns>): AcrossRuns {
  if (!across) throw new Error(`rows are not compared: ${notAcross}`)
  return across
}

const constant = (score: number) => questionsWith(4, () => score)
const rowsOf = (a: number, b: number, c: number): Rows => ({ a: constant(a), b: constant(b), c: constant(c) })

describe('comparison over several runs', () => {
  // Demšar's ranks by hand: a 1, 1, 1, 2; b 2, 3, 2.5, 1; c 3, 2, 2.5, 3
  const four = [rowsOf(0.9, 0.5, 0.1), rowsOf(0.9, 0.1, 0.5), rowsOf(0.9, 0.5, 0.5), rowsOf(0.7, 0.9, 0.5)]
  const data = four.map((rows, index) => ({ data: `data ${index}`, rows }))

  test('reports mean ranks and the test of each pair', async () => {
    const result = requireObject(await over(data))
    expect(result.rows.map(({ row, rank }) => [row, rank])).toEqual([
      ['a', 1.25],
      ['b', 2.125],
      ['c', 2.625],
    ])
    const [ab] = result.pairs
    expect(ab).toMatchObject({ a: 'a', b: 'b' })
    expect(ab?.p).toBeCloseTo(0.2159, 4)
    expect(ab?.pAdjusted).toBeCloseTo(0.4318, 4)
    expect(result.sharedQuestions).toBe(false)
  })

  test('finds a significant order of rows where twelve datasets agree', async () => {
    const result = requireObject(
      await over(Array.from({ length: 12 }, (_, index) => ({ data: `${index}`, rows: rowsOf(0.9, 0.5, 0.1) }))),
    )
    expect(result.pairs.every(({ pAdjusted }) => pAdjusted < 0.05)).toBe(true)
    expect(describeAcross(result).notes[0]).toContain('significant: a above b, a above c, b above c (p <= 0.05)')
  })

  test('names rows, and counts questions, that some run lacks', async () => {
    const rows = { a: { q0: 1, q1: 1 }, b: { q0: 0, q1: 'score failed' }, d: { q0: 0, q1: 0 } } as const
    const result = requireObject(await over([{ data: 'x', rows }, ...data]))
    expect(result.rows.map(({ row }) => row)).toEqual(['a', 'b'])
    expect(result.leftOut).toEqual(['d', 'c'])
    expect(result.dropped).toBe(1)
    expect(describeAcross(result).notes.slice(-2)).toEqual([
      'Not in every run: d, c.',
      'Ranks and means omit 1 question without a score in every row.',
    ])
  })

  test('needs two runs, two common rows and a common question', async () => {
    expect(await over(data.slice(0, 1))).toEqual({})
    expect(await over([{ data: 'x', rows: { a: constant(1), d: constant(0) } }, ...data])).toEqual({})
    expect(await over([{ data: 'x', rows: { a: { q0: 1 }, b: { q1: 1 } } }, ...data])).toEqual({
      notAcross: 'no question of run 0 has a score of accuracy.accuracy in every row',
    })
  })
})
