import type { Table } from '../table/table.ts'

/** How to read the columns that human labels correct; none where no labels were given. */
export function notesOnLabels({ cells }: Table): readonly string[] {
  const people = cells.flatMap((cell) => cell.people ?? [])
  if (people.length === 0) return []
  const counts = people.map(({ labelled }) => labelled)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const labelled = least === most ? String(least) : `${least} to ${most}`
  return [
    `Corrected (PPI++): the mean as people would score all questions, from the judge's scores and the labels of ${labelled} questions of a row; – where these are too few, and no ± where they do not tell how sure it is.`,
  ]
}
