import { rowName } from '../../basics/row-name.ts'
import type { Manifest, MethodRecord, ReplacedRow } from '../../records.ts'
import { rowDifferences } from '../diff/run-differences.ts'

/** A note for each row of an earlier run that is in the folder and not in the table, since another one has its name, with the options that it had. */
export const notesOnReplaced = ({ methods, replaced = [] }: Manifest): readonly string[] => [
  ...new Set(
    replaced.map((row) => {
      const rows = methods.filter(({ method, run }) => method === row.method && run === row.run)
      const shown = rows.find(({ variant }) => variant === row.variant) ?? rows[0]
      return `${rowName(row)}: results of this label ${madeWith(row, shown)} are in the folder and not shown; give each a label of its own to see both.`
    }),
  ),
]

function madeWith({ use, options, ...row }: ReplacedRow, shown: MethodRecord | undefined): string {
  if (use === undefined) return 'with other options, or by another version of its method,'
  if (!shown) return 'with other options'
  const differences = rowDifferences({ ...row, use, options }, shown)
  if (differences.length === 0) return 'by another version of its method'
  if (use !== shown.use) return `by the method ${use}`
  const had = differences.map(({ setting, before }) => `${setting.replace(/^options\./, '')} ${before ?? 'none'}`)
  return `with other options (${had.join(', ')})`
}
