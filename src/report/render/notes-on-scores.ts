import type { Table } from '../table/table.ts'
import { plural } from './plural.ts'

/** What stands beside a mean: its standard error, or its interval. */
export type Spread = 'error' | 'interval'

/** How to read the scores: their unit, and what stands beside them. `numbers` and `counts`: titles of columns that are not in percent. */
export function scoresNote(
  { cells }: Table,
  numbers: readonly string[],
  counts: readonly string[] = [],
  spread: Spread = 'error',
): string {
  const others = [
    ...(numbers.length > 0 ? [`as numbers: ${numbers.join(', ')}`] : []),
    ...(counts.length > 0 ? [`as counts of questions: ${counts.join(', ')}`] : []),
  ]
  const unit = `Scores in percent${others.length > 0 ? ` (${others.join('; ')})` : ''}`
  const clustered = cells.some(({ n, clusters }) => clusters < n)
  const known = cells.some(({ error }) => error !== null)
  const most = (of: (cell: Table['cells'][number]) => number): number => Math.max(0, ...cells.map(of))
  const repeats = most((cell) => cell.repeats)
  const judgeRuns = most((cell) => cell.judgeRuns)
  const runs = [
    ...(repeats > 1 ? [plural(repeats, 'repeat')] : []),
    ...(judgeRuns > 1 ? [plural(judgeRuns, 'judge run')] : []),
  ]
  const mean = runs.length > 0 ? `, means over ${runs.join(' and ')}` : ''
  if (!known)
    return `${unit}${mean}; no ${spread === 'error' ? 'standard error' : 'interval'} is known: too few questions, or all scores equal.`
  const over = clustered ? 'questions, which are clustered by the text that they share' : 'questions'
  return spread === 'error'
    ? `${unit}${mean} ± standard error over ${over}.`
    : `${unit}${mean}; in brackets, where it is known, the 95 % interval of the mean over ${over}.`
}
