import { UserError } from '../../errors.ts'
import { wholeText } from '../formats/text-file.ts'
import type { BadRecords } from '../shared/bad-records.ts'

/**
 * The documents that are relevant for each query, by ids: rows of query, document and grade, set apart by tabs, below a row of names, which
 * may be missing. A grade of 0 or less says that a document is not relevant. Throws UserError naming file and line of what is malformed.
 */
export async function readJudgements(file: string, bad: BadRecords): Promise<Map<string, Set<string>>> {
  const judged = new Map<string, Set<string>>()
  const text = await wholeText(file)
  for (const [index, row] of text.split(/\r?\n/).entries())
    bad.attempt(() => {
      if (row.trim() === '') return
      const [query = '', document = '', grade = '', ...more] = row.split('\t').map((cell) => cell.trim())
      const isGrade = /^-?\d+$/.test(grade)
      if (index === 0 && !isGrade && grade !== '' && more.length === 0) return
      if (query === '' || document === '' || !isGrade || more.length > 0)
        throw new UserError(
          `${file}:${index + 1}: expected query-id, corpus-id and a whole number as score, set apart by tabs`,
        )
      if (Number(grade) <= 0) return
      const relevant = judged.get(query) ?? new Set()
      judged.set(query, relevant.add(document))
    })
  return judged
}
