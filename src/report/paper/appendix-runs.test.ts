import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { paperTable } from './paper-table.ts'

const paper = paperTable.parse(
  JSON.parse(readFileSync(new URL('../../../configs/paper/hlgraphrag-figure-5-5.json', import.meta.url), 'utf8')),
)

const runsOf = (row: string): readonly number[] =>
  (paper.cells.find((cell) => cell.row === row && cell.column === 'choke')?.perRun ?? []).toSorted((a, b) => a - b)

const rows = Object.keys(paper.rows)

const noteWith = (words: string): string => paper.notes.find((note) => note.includes(words)) ?? ''

/** Kolmogorov–Smirnov distance of whole numbers to the uniform distribution over their range, half a unit wider. */
function distanceToUniform(runs: readonly number[]): number {
  const [low, high] = [runs[0]! - 0.5, runs.at(-1)! + 0.5]
  const shares = runs.map((run) => (run - low) / (high - low))
  return Math.max(...shares.map((share, i) => Math.max((i + 1) / runs.length - share, share - i / runs.length)))
}

/** Exact p of a distance (Marsaglia, Tsang and Wang 2003, Evaluating Kolmogorov's Distribution). */
function kolmogorovP(n: number, distance: number): number {
  const k = Math.floor(n * distance) + 1
  const [size, h] = [2 * k - 1, k - n * distance]
  const matrix = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => Number(j <= i + 1)))
  for (let i = 0; i < size; i++) {
    matrix[i]![0]! -= h ** (i + 1)
    matrix[size - 1]![i]! -= h ** (size - i)
  }
  matrix[size - 1]![0]! += Math.max(0, 2 * h - 1) ** size
  const factorial = (m: number): number => (m <= 1 ? 1 : m * factorial(m - 1))
  const scaled = matrix.map((row, i) => row.map((value, j) => value / factorial(i - j + 1)))
  let power = scaled.map((row, i) => row.map((_, j) => Number(i === j)))
  for (let step = 0; step < n; step++)
    power = power.map((row) => row.map((_, j) => row.reduce((sum, value, m) => sum + value * scaled[m]![j]!, 0)))
  let probability = power[k - 1]![k - 1]!
  for (let i = 1; i <= n; i++) probability *= i / n
  return 1 - probability
}

/** numpy's default quantile. */
function quantile(runs: readonly number[], share: number): number {
  const place = (runs.length - 1) * share
  const [below, above] = [runs[Math.floor(place)]!, runs[Math.ceil(place)]!]
  return below + (place - Math.floor(place)) * (above - below)
}

test('computes the published exact p value of a Kolmogorov-Smirnov distance', () => {
  // scipy.stats.kstwo.sf and Marsaglia, Tsang and Wang, table 1
  expect(1 - kolmogorovP(10, 0.274)).toBeCloseTo(0.6284796154565, 10)
})

test('the note on the distribution of runs states the p value of each row', () => {
  const note = noteWith('Kolmogorov')
  const p = rows.map(
    (row) =>
      `${row} ${kolmogorovP(15, distanceToUniform(runsOf(row)))
        .toFixed(3)
        .slice(1)}`,
  )
  expect(note).toContain(`${p.join(', ')}.`)
})

test('the note on outliers lists exactly the runs beyond 1.5 interquartile ranges', () => {
  const outliers = rows.flatMap((row) => {
    const runs = runsOf(row)
    const [first, third] = [quantile(runs, 0.25), quantile(runs, 0.75)]
    const [low, high] = [first - 1.5 * (third - first), third + 1.5 * (third - first)]
    return runs.flatMap((run) => (run < low || run > high ? [`${run} of ${row} (limit ${high})`] : []))
  })
  expect(outliers).toHaveLength(2)
  expect(noteWith('interquartile')).toContain(outliers.join(' and '))
})

test('the note on error bars states the overlapping bars of the first and last row', () => {
  const bars = ['Native', 'HL+DW+RR'].map((row) => {
    const value = paper.cells.find((cell) => cell.row === row && cell.column === 'acceptance')?.value ?? 0
    return { low: Math.round(value * 0.9), high: Math.round(value * 1.1), row }
  })
  expect(noteWith('By the bars')).toContain(bars.map(({ row, low, high }) => `${row} ${low} to ${high}`).join(', '))
  expect(bars[0]!.high).toBeGreaterThan(bars[1]!.low)
})
