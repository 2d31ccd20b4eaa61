import { describe, expect, test } from 'vitest'
import { journalsOf, madeRun, questionsWith, scorerRecord, type MadeOutcome } from '../../test-support/fake-run.ts'
import { mulberry32 } from '../../math/random.ts'
import { mcnemar } from '../../math/statistics/paired-tests.ts'
import type { CompareRecord, Manifest, ScoreLine } from '../../records.ts'
import { scoreTable } from '../render/tables.ts'
import { factsOf, messagesOf } from '../render/rows.ts'
import { comparisonNotes } from '../render/notes-on-comparison.ts'
import { tableOf, type Table } from '../table/table.ts'

/** A row's scores by question: a number, `failed`, or `none` where it was not scored. */
type Scored = readonly (number | 'failed' | 'none')[]

/** The table of rows with these scores; questions share a cluster of so many where `clusterSize` is given. */
async function runOf(
  rows: Readonly<Record<string, Scored>>,
  compare?: Partial<CompareRecord>,
  { clusterSize = 1, reference = '' } = {},
): Promise<{ readonly manifest: Manifest; readonly table: Table }> {
  const outcomeOf = (value: Scored[number]): MadeOutcome =>
    value === 'failed' ? 'trial failed' : value === 'none' ? 'declined' : value
  const fixture = madeRun({
    rows: Object.fromEntries(
      Object.entries(rows).map(([row, rowScores]) => [
        row,
        Object.fromEntries(rowScores.map((value, i) => [`q${i}`, outcomeOf(value)])),
      ]),
    ),
    clusters: questionsWith(50, (i) => `c${Math.floor(i / clusterSize)}`),
  })
  const manifest: Manifest = {
    ...fixture.manifest,
    methods: fixture.manifest.methods.map((row) => (row.method === reference ? { ...row, context: 'none' } : row)),
    scorers: [scorerRecord('first'), scorerRecord('f1')],
    ...(compare && { compare: { ...compare } }),
  }
  // the second scorer says the opposite of the first
  const scores = fixture.scores.flatMap((line): readonly ScoreLine[] => {
    const value = line.metrics?.['accuracy']
    if (value === undefined) return []
    return Object.entries({ first: value, f1: 1 - value }).map(([label, score]) => ({
      ...line,
      scorer: label,
      scorerId: label,
      metrics: { [label]: score },
    }))
  })
  return { manifest, table: await tableOf(manifest, journalsOf({ trials: fixture.trials, scores })) }
}

const comparisonOf = async (...args: Parameters<typeof runOf>) => {
  const { comparison } = (await runOf(...args)).table
  if (!comparison) throw new Error('nothing was compared')
  return comparison
}
const notesOf = async (...args: Parameters<typeof runOf>): Promise<readonly string[]> => notesIn(await runOf(...args))
const notesIn = ({ manifest, table }: Awaited<ReturnType<typeof runOf>>): readonly string[] =>
  messagesOf(comparisonNotes, factsOf(manifest, table))

const firstOnes = (count: number, of = 12): readonly number[] =>
  Array.from({ length: of }, (_, i) => (i < count ? 1 : 0))
const b = { method: 'b', variant: '' }

describe('comparison with a baseline', () => {
  const rows = { a: firstOnes(12), b: firstOnes(2), c: firstOnes(3), d: firstOnes(2) }

  test('tests each other row against it, and corrects over these pairs only', async () => {
    const all = await comparisonOf(rows)
    const { baseline, pairs } = await comparisonOf(rows, { baseline: b })
    expect([all.baseline, all.pairs.length, baseline]).toEqual([null, 6, 'b'])
    expect(pairs.map((pair) => [pair.a, pair.b])).toEqual([
      ['a', 'b'],
      ['c', 'b'],
      ['d', 'b'],
    ])
    const p = mcnemar(10, 0).p
    expect(pairs.map((pair) => pair.p)).toEqual([p, 1, 1])
    // the two others never differ more than once: of the 2^12 signs 4 bring the ten to one side
    expect(pairs.map(({ pAdjusted }) => pAdjusted)).toEqual([p, 1, 1])
    expect(pairs[0]).toMatchObject({ win: 10, tie: 2, loss: 0, midP: p / 2 })
  })

  test('adds difference, interval and adjusted p to the table, and marks better rows', async () => {
    const { manifest, table } = await runOf(rows, { baseline: b })
    const { head, rows: lines } = scoreTable(manifest, table)
    const column = head.indexOf('first: difference from b')
    expect(lines.map((line) => line[column]?.text)).toEqual([
      // Wilson: .757 to 1 of 12 of 12, .047 to .448 of 2 of 12; they do not correlate
      '+83.3 [46.2, 95.3] p 0.002',
      '–',
      expect.stringMatching(/^\+8\.3 \[-\d+\.\d, \d+\.\d\] p 1\.000$/),
      expect.stringMatching(/^\+0\.0 \[-\d+\.\d, \d+\.\d\] p 1\.000$/),
    ])
    expect(lines.map((line) => line[column + 1]?.text)).toEqual(['10/2/0', '–', '1/11/0', '0/12/0'])
    expect(lines.map((line) => line[2]?.best)).toEqual([true, undefined, undefined, undefined])
    expect(notesIn({ manifest, table })[0]).toContain('1 of 3 rows differ from b')
  })

  test('accepts a reference row as the baseline', async () => {
    const args = { clusterSize: 1, reference: 'b' }
    expect((await comparisonOf(rows, undefined, args)).rows.map(({ method }) => method)).toEqual(['a', 'c', 'd'])
    const { rows: comparedRows, pairs } = await comparisonOf(rows, { baseline: b }, args)
    expect([comparedRows.length, pairs.length]).toEqual([4, 3])
  })

  test('says that the baseline is absent or has no score', async () => {
    const message = ['Rows are not compared: the baseline b has no score of first.']
    expect(await notesOf({ a: firstOnes(3), c: firstOnes(3) }, { baseline: b })).toEqual(message)
    expect(await notesOf({ a: firstOnes(3) }, { baseline: b })).toEqual(message)
    expect(await notesOf({ a: firstOnes(3), b: ['failed', 'failed'] }, { baseline: b })).toEqual(message)
  })
})

test('equivalence within a margin is tested for each pair with Holm, and a note names equivalent rows', async () => {
  const noisy = (shift: number) => Array.from({ length: 24 }, (_, i) => 0.5 + shift + (i % 3) / 100)
  const rows = { a: noisy(0).map((score, i) => score + (i % 2) / 100), b: noisy(0), c: noisy(0.2).toReversed() }
  const { pairs } = await comparisonOf(rows, { baseline: b, margin: 0.03 })
  expect(pairs.map(({ equivalence }) => equivalence?.p)).toEqual([expect.closeTo(0, 6), expect.closeTo(1, 6)])
  expect(pairs[0]?.equivalence?.pAdjusted).toBeCloseTo(2 * (pairs[0]?.equivalence?.p ?? NaN), 12)
  expect((await notesOf(rows, { margin: 0.03 })).at(-1)).toBe(
    'first: equivalent within ±3.0 points (TOST, Holm, p <= 0.05): a and b.',
  )
  expect((await notesOf(rows, { margin: 0.001 })).at(-1)).toBe(
    'first: equivalent within ±0.1 points (TOST, Holm, p <= 0.05): none.',
  )
})

describe('minimum detectable differences', () => {
  test('show no p where four clusters cannot reach the level, and a note says so', async () => {
    const rows = { a: firstOnes(12), b: firstOnes(0) }
    const { manifest, table } = await runOf(rows, { baseline: b }, { clusterSize: 3 })
    expect(table.comparison).toMatchObject({ clusters: 4, smallestP: 0.125 })
    expect(notesIn({ manifest, table })[0]).toContain('too few questions (4 clusters of 12 questions)')
    const { head, rows: lines } = scoreTable(manifest, table)
    expect(lines[0]?.[head.indexOf('first: difference from b')]?.text).toBe('+100.0')
  })

  test('need six questions to reach the level, for any number of pairs', async () => {
    const rows = (of: number) => Object.fromEntries(['a', 'b', 'c', 'd'].map((row, i) => [row, firstOnes(i, of)]))
    expect((await notesOf(rows(5)))[0]).toContain('too few questions (5 questions)')
    expect((await comparisonOf(rows(6))).smallestP).toBe(2 / 2 ** 6)
  })

  test('reach significance among 33 rows, since 528 pairs share their sign flips', async () => {
    const noise = mulberry32(7)
    const gradedScores = (lead: number) => Array.from({ length: 24 }, () => 0.2 * noise() + lead)
    const names = Array.from({ length: 32 }, (_, i) => `row${i}`)
    const result = await comparisonOf({
      best: gradedScores(0.5),
      ...Object.fromEntries(names.map((name) => [name, gradedScores(0)])),
    })
    expect(result).toMatchObject({ smallestP: 1e-4, pairs: { length: 528 } })
    expect(result.rows.map(({ better }) => better.length)).toEqual([32, ...names.map(() => 0)])
    // all together reach farther than one alone
    for (const { low, high, simultaneous } of result.pairs) {
      expect(simultaneous.low).toBeLessThan(low ?? NaN)
      expect(simultaneous.high).toBeGreaterThan(high ?? NaN)
    }
  })

  test('grow with variance and number of pairs, not with the observed difference', async () => {
    const a = [0.1, 0.5, 0.3, 0.9, 0.4, 0.2, 0.8, 0.6]
    const b = [0.2, 0.1, 0.4, 0.3, 0.9, 0.5, 0.1, 0.3]
    const detectableOf = async (rows: Parameters<typeof comparisonOf>[0]) =>
      (await comparisonOf(rows)).smallestDifference ?? NaN
    const alone = await detectableOf({ a, b })
    // the signs that are flipped know the difference, but little of it
    expect(Math.abs((await detectableOf({ a: a.map((score) => score + 0.05), b })) / alone - 1)).toBeLessThan(0.1)
    expect(await detectableOf({ a: a.map((score) => score / 2), b: b.map((score) => score / 2) })).toBeCloseTo(
      alone / 2,
      9,
    )
    expect(await detectableOf({ a, b, c: a.toReversed(), d: b.toReversed() })).toBeGreaterThan(alone)
  })
})

describe('questions without a score in every row', () => {
  const rows = {
    a: [...firstOnes(10), 'failed' as const],
    b: [...firstOnes(4), 1, 'none' as const],
    c: [...firstOnes(4), 'failed' as const],
  }

  test('count in the pairs whose rows both have a score, with the means on these', async () => {
    const { questions, fewest, rows: comparedRows, pairs } = await comparisonOf(rows)
    expect([questions, fewest]).toEqual([12, 12])
    expect(comparedRows.map((row) => [row.mean, row.questions])).toEqual([
      [10 / 12, 12],
      [5 / 13, 13],
      [4 / 12, 12],
    ])
    expect(pairs.map(({ means }) => means)).toEqual([
      { a: 10 / 12, b: 4 / 12 },
      { a: 10 / 12, b: 4 / 12 },
      { a: 4 / 12, b: 4 / 12 },
    ])
    expect((await notesOf(rows))[2]).toContain('first: 2 pairs compared on shared scored questions')
  })

  test('do not change comparisons between other rows', async () => {
    const sound = { a: firstOnes(12), b: firstOnes(2), c: firstOnes(3) }
    const alone = await comparisonOf(sound)
    const { pairs, fewest } = await comparisonOf({
      ...sound,
      d: [1, 1, ...Array.from({ length: 10 }, () => 'failed' as const)],
    })
    expect(fewest).toBe(2)
    expect(pairs[0]).toMatchObject({ questions: 12, difference: alone.pairs[0]?.difference, p: alone.pairs[0]?.p })
    expect(pairs[0]?.pAdjusted).toBeLessThanOrEqual(0.05)
  })

  test('bound the difference by the least and the greatest possible score', async () => {
    const { pairs } = await comparisonOf(rows)
    const [ab, ac, bc] = pairs
    // b has 1 where a failed; where both failed, either may have all
    expect([ab?.least, ab?.greatest]).toEqual([(6 + 0 - 1) / 13, (6 + 1 - 1) / 13])
    expect([ac?.least, ac?.greatest]).toEqual([(6 - 1) / 13, (6 + 1) / 13])
    expect([bc?.least, bc?.greatest]).toEqual([0, 1 / 13])
    expect(ab?.difference).toBe(0.5)
  })

  test('prevent a comparison of rows without a common question', async () => {
    const message = ['Rows are not compared: no two rows share a question with a score of first.']
    expect(await notesOf({ a: [1, 'failed'], b: ['failed', 1] })).toEqual(message)
    expect(await notesOf({ a: [1] })).toEqual([])
  })
})
