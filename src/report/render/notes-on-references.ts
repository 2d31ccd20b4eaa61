import type { Manifest } from '../../records.ts'
import type { Cell } from '../table/estimate.ts'
import { closedBookWrong, contamination, headroom } from '../table/reference-cells.ts'
import type { Table } from '../table/table.ts'
import { plural } from './amounts.ts'

/** What the columns of the reference rows mean, and how much the closed-book row knows; which causes of wrong answers could not be told. */
export const notesOnReferences = (manifest: Manifest, table: Table): readonly string[] => [
  ...ofReferences(table),
  ...ofCauses(manifest, table),
]

function ofReferences({ cells }: Table): readonly string[] {
  const above = cells.filter(({ metric }) => metric === headroom)
  const wrong = cells.filter(({ subset, n }) => subset === closedBookWrong && n > 0)
  const known = cells.filter(({ metric }) => metric === contamination)
  return [
    ...(above.length > 0
      ? [`${headroom}: the oracle's score minus the row's, on the ${asked(above)} that both have.`]
      : []),
    ...known.map(
      ({ scorer, variant, mean, error, n }) =>
        `${contamination}${variant === '' ? '' : ` (${variant})`}: without a context ${percent(mean)}${error === null ? '' : ` ±${percent(error)}`} % of ${plural(n, 'question')} are answered right (${scorer} .5 or more)${wrong.length > 0 ? `; "${closedBookWrong}" is the score on the other ${asked(wrong)}` : ''}.`,
    ),
  ]
}

/** The questions of cells: 15 questions, or 12 to 15. */
function asked(cells: readonly Cell[]): string {
  const counts = cells.map(({ n }) => n)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return least === most ? plural(most, 'question') : `${least} to ${plural(most, 'question')}`
}

const percent = (fraction: number | null): string => (100 * (fraction ?? 0)).toFixed(1)

/** The rows of which the scorer failure-cause could not tell every cause. */
function ofCauses({ scorers }: Manifest, { cells }: Table): readonly string[] {
  return scorers
    .filter(({ failures }) => failures)
    .flatMap(({ scorer }) => {
      const rowsWith = (metric: string): string =>
        cells
          .filter((cell) => cell.scorer === scorer && cell.metric === metric && cell.subset === 'all' && cell.mean)
          .map(
            ({ method, variant, mean, n }) =>
              `${[method, variant].filter(Boolean).join(' ')} ${Math.round((mean ?? 0) * n)}`,
          )
          .join(', ')
      const [answerer, beyond] = [rowsWith('answererUntold'), rowsWith('beyondUntold')]
      return [
        ...(answerer
          ? [
              `${scorer}: without the oracle's answer to the same question it cannot be told whether the answerer is wrong even with the evidence; questions: ${answerer}.`,
            ]
          : []),
        ...(beyond
          ? [
              `${scorer}: where a method gives no more passages than the budget has, "beyond the budget" cannot be told from "not in the ranking"; questions: ${beyond}.`,
            ]
          : []),
      ]
    })
}
