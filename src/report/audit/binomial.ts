import type { PaperTable } from '../paper/paper-table.ts'
import { cellAt, meanOfRuns } from './cells.ts'
import type { AuditedShare } from './shares.ts'

/**
 * The variance that a share, or a count of questions, has by the questions that were drawn and by its runs: p (1 - p) /
 * n, with one right and one wrong answer more (Agresti and Caffo 2000), so that none right has a variance, too. By the
 * most and by the fewest questions that the printed shares allow; undefined for what is no share of known questions.
 * Rows were asked the same questions, which is not printed: as a rule their difference varies less than the sum says.
 */
export function varianceOfQuestions(
  paper: PaperTable,
  row: string,
  column: string,
  shares: readonly AuditedShare[],
): readonly [least: number, most: number] | undefined {
  const [cell, where] = [cellAt(paper, row, column), paper.columns[column]]
  if (!cell || !where || !('scorer' in where)) return undefined
  const asked = paper.runs[paper.rows[row]?.runs[where.run] ?? where.run]?.questions
  const counted = where.unit === 'count' && where.subset === 'all' && asked !== undefined ? [asked] : []
  const numbers = shares.find(({ of }) => of === where.shareOf)?.fits ?? counted
  if (numbers.length === 0) return undefined
  const runs = meanOfRuns(paper, row, column)
  const varianceAt = (n: number): number => {
    const whole = where.unit === 'count' ? n : where.unit === 'percent' ? 100 : 1
    const share = ((cell.value / whole) * n + 1) / (n + 2)
    const ofOneRun = (whole ** 2 * share * (1 - share)) / n
    // of several runs the questions stay the same, and what runs add is averaged
    return runs ? Math.max(0, ofOneRun - runs.variance) + runs.variance / runs.runs : ofOneRun
  }
  return [varianceAt(Math.max(...numbers)), varianceAt(Math.min(...numbers))]
}
