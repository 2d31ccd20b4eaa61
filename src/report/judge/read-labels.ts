import { readFile } from 'node:fs/promises'
import { UserError, messageOf } from '../../errors.ts'
import { csvRows, type CsvRow } from '../../formats/csv-rows.ts'
import { nearest } from '../../text/names.ts'
import { verdictIn, verdictWords } from '../../text/verdict.ts'

/** A labels file, filled in by a person. */
export interface Labels {
  readonly file: string
  readonly scorer: string
  readonly lines: readonly LabelLine[]
  /** Duplicate lines. */
  readonly repeated: number
}

/** A label; null: not filled in. */
interface LabelLine {
  readonly ids: readonly string[]
  readonly verdict: number | null
}

/** Reads a labels file; `rangeFor` gives the score range of a scorer. Throws UserError. */
export async function openLabels(
  file: string,
  rangeFor: (scorer: string) => readonly [number, number],
): Promise<Labels> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`cannot read ${file}: ${messageOf(error)}`, { cause: error })
  })
  return await readLabels(file, text, rangeFor)
}

/** Verdicts are numbers in the range or words such as yes, right, no and wrong. Throws UserError with the line. */
export async function readLabels(
  file: string,
  text: string,
  rangeFor: (scorer: string) => readonly [number, number],
): Promise<Labels> {
  const rows: CsvRow[] = []
  for await (const row of csvRows(file, text)) rows.push(row)
  const scorer = scorerOf(file, rows)
  const range = rangeFor(scorer)
  const verdictsById = new Map<string, { readonly verdict: number | null; readonly line: number }>()
  const lines: LabelLine[] = []
  let repeated = 0
  for (const row of rows) {
    const where = `${file}:${row.line}`
    const ids = new Set(cellOf(row, 'id').split(/\s+/).filter(Boolean))
    if (ids.size === 0) throw new UserError(`${where}: the id is missing; restore it, or remove the line`)
    const verdict = verdictOf(where, cellOf(row, 'verdict'), range)
    const conflict = [...ids].flatMap((id) => verdictsById.get(id) ?? []).find((earlier) => earlier.verdict !== verdict)
    if (conflict)
      throw new UserError(
        `${where}: this answer has another verdict on line ${conflict.line}; keep one of the two lines`,
      )
    const fresh = [...ids].filter((id) => !verdictsById.has(id))
    for (const id of fresh) verdictsById.set(id, { verdict, line: row.line })
    if (fresh.length > 0) lines.push({ ids: fresh, verdict })
    else repeated++
  }
  if (lines.every(({ verdict }) => verdict === null))
    throw new UserError(`${file}: no line has a verdict yet; fill in the column "verdict"`)
  return { file, scorer, lines, repeated }
}

const cellOf = ({ value }: CsvRow, column: string): string => (value[column] ?? '').trim()

/** The scorer, which must be the same on all lines. */
function scorerOf(file: string, rows: readonly CsvRow[]): string {
  const [first] = rows
  if (!first)
    throw new UserError(`${file}: has no line below its column names; draw it again with "gembench judge sample"`)
  const columns = Object.keys(first.value)
  const missing = ['id', 'scorer', 'verdict'].find((column) => !columns.includes(column))
  if (missing !== undefined) {
    const near = nearest(missing, columns)
    throw new UserError(
      `${file}:${first.header}: has no column "${missing}"${near === undefined ? '' : `; rename "${near}"`} (its columns: ${columns.join(', ')})`,
    )
  }
  const scorer = cellOf(first, 'scorer')
  const conflict = rows.find((row) => cellOf(row, 'scorer') !== scorer)
  if (conflict)
    throw new UserError(
      `${file}:${conflict.line}: scorer "${cellOf(conflict, 'scorer')}", but "${scorer}" above; check the labels of one scorer at a time`,
    )
  // undo the apostrophe with which `labelsCsv` escapes formulas
  return scorer.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '')
}

function verdictOf(where: string, text: string, [least, greatest]: readonly [number, number]): number | null {
  if (text === '') return null
  const value = verdictIn(text)
  if (value !== undefined && value >= least && value <= greatest) return value
  const near = value === undefined ? nearest(text.toLowerCase(), verdictWords) : undefined
  const hint =
    near === undefined ? `expected a number from ${least} to ${greatest}, or yes or no` : `did you mean "${near}"?`
  throw new UserError(`${where}: verdict ${JSON.stringify(text.slice(0, 60))}: ${hint}`)
}
