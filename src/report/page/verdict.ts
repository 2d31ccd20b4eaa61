import { rowName } from '../../basics/row-name.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { ComparedRow, RowComparison } from '../compare/comparison.ts'
import { baselineOf, canReach, points } from '../render/difference-columns.ts'
import { plural } from '../render/plural.ts'
import type { Table } from '../table/table.ts'

/** What a table says in one sentence: which rows lead, how many differ by its tests, and what it could have seen. No figure is computed here. */
export function verdictOf({ comparison, notCompared }: Pick<Table, 'comparison' | 'notCompared'>): string {
  if (!comparison)
    return notCompared === undefined ? 'There are no two rows to compare.' : `Rows are not compared: ${notCompared}.`
  const said = canReach(comparison)
    ? [leading(comparison), differing(comparison), detectable(comparison)]
    : [leading(comparison), `too few questions (${comparison.questions}) for any test to find a difference`]
  return `${said.join('; ')}.`
}

/** The rows that are above all others by their means or, with a test, that no row is shown to be better than. */
function leading(comparison: RowComparison): string {
  const { rows } = comparison
  const sorted = [...rows].sort((a, b) => b.mean - a.mean || b.better.length - a.better.length)
  const [first, ...others] = sorted
  if (!first) return 'nothing was compared'
  const baseline = baselineOf(comparison)
  if (baseline && !(others.length === 1 && first.better.length > 0)) {
    // the others were compared with the baseline, not with each other
    const isAbove = first.better.includes(baseline.letter)
    return `${highest(sorted, first)}${isAbove ? ` and is shown to be above ${rowName(baseline)}` : ''}`
  }
  const level = others.filter(({ letter }) => !first.better.includes(letter))
  if (level.length === 0) return `${rowName(first)} leads`
  if (level.length < Math.min(others.length, mostLeaders)) return `${named([first, ...level])} lead`
  const worse = others.length - level.length
  return `${highest(sorted, first)}; ${worse === 0 ? 'no other row' : `only ${worse} of ${plural(others.length, 'other row')}`} ${worse > 1 ? 'are' : 'is'} shown to be worse than ${rowName(first)}`
}

/** More rows than these are no lead. */
const mostLeaders = 4

const highest = (sorted: readonly ComparedRow[], first: ComparedRow): string => {
  const equal = sorted.filter(({ mean }) => first.mean - mean <= rounding)
  return `${named(equal)} ${equal.length === 1 ? 'has' : 'have'} the highest score`
}

function named(rows: readonly ComparedRow[]): string {
  const names = rows.map(rowName)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

function differing(comparison: RowComparison): string {
  const { pairs, alpha } = comparison
  const count = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha).length
  const baseline = baselineOf(comparison)
  return baseline
    ? `${count} of ${plural(pairs.length, 'row')} ${count === 1 ? 'differs' : 'differ'} from ${rowName(baseline)} after Holm`
    : `${count} of ${plural(pairs.length, 'pair')} ${count === 1 ? 'differs' : 'differ'} after Holm`
}

const detectable = ({ smallestDifference }: RowComparison): string =>
  smallestDifference === null
    ? 'the smallest difference that this run could have seen is not known'
    : `the smallest difference that this run could have seen is ${points(smallestDifference)} points`
