import { readFile } from 'node:fs/promises'
import { UserError, messageOf } from '../../errors.ts'
import { csvRows, type CsvRow } from '../../formats/csv-rows.ts'
import { verdictIn } from '../../text/verdict.ts'

/** A labels file, filled in by a person. A verdict is null where it is not. */
export type Labels = Awaited<ReturnType<typeof readLabels>>

/** The score range of a scorer. */
type RangeFor = (scorer: string) => readonly [least: number, greatest: number]

/** Reads a labels file. Throws UserError. */
export async function openLabels(file: string, rangeFor: RangeFor): Promise<Labels> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`cannot read ${file}: ${messageOf(error)}`, { cause: error })
  })
  return await readLabels(file, text, rangeFor)
}

/** Verdicts are numbers in the range or words such as yes, right, no and wrong. Throws UserError with the line. */
export async function readLabels(file: string, text: string, rangeFor: RangeFor) {
  const rows: CsvRow[] = []
  for await (const row of csvRows(file, text)) rows.push(row)
  const cell = scorerCell(file, rows)
  // undo the apostrophe with which `labelsCsv` escapes formulas
  const scorer = cell.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '')
  const range = rangeFor(scorer)
  const verdicts = new Map<string, number | null>()
  const lines = rows.flatMap((row) => {
    const where = `${file}:${row.line}`
    if (cellOf(row, 'scorer') !== cell)
      throw new UserError(`${where}: another scorer than above; check the labels of one scorer at a time`)
    const ids = cellOf(row, 'id').split(/\s+/).filter(Boolean)
    if (ids.length === 0) throw new UserError(`${where}: the id is missing; restore it, or remove the line`)
    const verdict = verdictOf(where, cellOf(row, 'verdict'), range)
    if (ids.some((id) => verdicts.has(id) && verdicts.get(id) !== verdict))
      throw new UserError(`${where}: this answer has another verdict on an earlier line; keep one of the two lines`)
    const fresh = [...new Set(ids)].filter((id) => !verdicts.has(id))
    for (const id of fresh) verdicts.set(id, verdict)
    return fresh.length > 0 ? [{ ids: fresh, verdict }] : []
  })
  if (lines.every(({ verdict }) => verdict === null))
    throw new UserError(`${file}: no line has a verdict yet; fill in the column "verdict"`)
  return { file, scorer, lines }
}

/** The scorer of the first line. */
function scorerCell(file: string, [first]: readonly CsvRow[]) {
  if (!first)
    throw new UserError(`${file}: has no line below its column names; draw it again with "gembench judge sample"`)
  const columns = Object.keys(first.value)
  const missing = ['id', 'scorer', 'verdict'].find((column) => !columns.includes(column))
  if (missing === undefined) return cellOf(first, 'scorer')
  throw new UserError(`${file}:${first.header}: has no column "${missing}" (its columns: ${columns.join(', ')})`)
}

const cellOf = ({ value }: CsvRow, column: string) => (value[column] ?? '').trim()

function verdictOf(where: string, text: string, [least, greatest]: readonly [number, number]) {
  if (text === '') return null
  const value = verdictIn(text)
  if (value !== undefined && value >= least && value <= greatest) return value
  const hint = `expected a number from ${least} to ${greatest}, or yes or no`
  throw new UserError(`${where}: verdict ${JSON.stringify(text.slice(0, 60))}: ${hint}`)
}
