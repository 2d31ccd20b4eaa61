import { mulberry32 } from '../../src/math/random.ts'
import { cr2Difference, cr2Mean } from '../../src/math/statistics/cr2.ts'
import { lossTest } from '../../src/report/compare/t-tests.ts'
import { compareWithPaper } from '../../src/report/paper/compare-cells.ts'
import { small, type BenchRow } from './row.ts'

const draws = small ? 50 : 2000

/** How often a gate lets a loss pass, and how often an other value is called equivalent to a published one. */
export function verdictsBench(): readonly BenchRow[] {
  const random = mulberry32(7)
  const shareOfPasses = (loss: number, n: number): number =>
    share(() => {
      const pairs = Array.from({ length: n }, () => (random() < 0.5 ? 0 : random() < 0.5 - loss ? 1 : -1))
      const { mean, error, degrees } = cr2Mean(pairs, [...pairs.keys()])
      const { p } = lossTest({ difference: mean, error, degrees }, { questions: n, clusters: n }, 0.03)
      return (p ?? 1) <= 0.05
    })
  const shareOfEquivalences = (away: number, n: number): number =>
    share(() => {
      const ours = Array.from({ length: n }, () => Number(random() < 0.6 + away))
      const theirs = Array.from({ length: n }, () => Number(random() < 0.6))
      const mean = (values: readonly number[]): number => values.reduce((sum, item) => sum + item, 0) / n
      const { error, degrees } = cr2Difference(
        ours,
        ours.map(() => 0),
        [...ours.keys()],
      )
      const difference = mean(ours) - mean(theirs)
      const comparison = {
        difference,
        ourVariance: error ** 2,
        publishedVariance: error ** 2,
        degrees,
        n,
        margin: 0.06,
      }
      return compareWithPaper(comparison).outcome === 'equivalent'
    })
  const row = (name: string, frequency: number, goal: string, met: boolean): BenchRow => ({
    name,
    figure: `${(100 * frequency).toFixed(1)} %`,
    goal,
    met,
    note: `${draws.toLocaleString('en-US')} draws`,
  })
  const [ten, margin, published, equal] = [
    shareOfPasses(0.1, 68),
    shareOfPasses(0.03, 2000),
    shareOfEquivalences(0.06, 2000),
    shareOfEquivalences(0, 2000),
  ]
  return [
    row('a loss of 10 points on 68 questions passes a margin of 3', ten, 'at most 5 %', ten <= 0.05),
    row('a loss of 3 points on 2,000 questions passes it', margin, '5 % ± 1.5', Math.abs(margin - 0.05) <= 0.015),
    row('6 points from a published value called equivalent within 6', published, 'at most 6.5 %', published <= 0.065),
    row('equal to it, 2,000 questions each', equal, 'at least 80 %', equal >= 0.8),
  ]
}

const share = (draw: () => boolean): number => Array.from({ length: draws }, draw).filter(Boolean).length / draws
