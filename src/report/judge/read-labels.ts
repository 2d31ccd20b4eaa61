import { UserError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import { csvRecords, type CsvRecord } from './csv-cells.ts'
import { withoutApostrophe } from './write-labels.ts'

/** A file that `labelsCsv` wrote, with the verdicts of a person. */
export interface Labels {
  readonly file: string
  /** Label of the scorer whose judge is checked. */
  readonly scorer: string
  readonly lines: readonly LabelLine[]
  /** Lines that repeat the ids and verdict of an earlier one. */
  readonly repeated: number
}

/** What a person says of an answer; null where nothing was filled in. */
export interface LabelLine {
  readonly ids: readonly string[]
  readonly verdict: number | null
}

/**
 * Reads a file of human labels. A verdict is a number in the range (a decimal comma will do), or yes, right or true for 1 and no, wrong or false
 * for 0. Throws UserError naming file, line and column of what is wrong: a column that is missing, several scorers, a verdict that is none, no verdict at all, or
 * one answer with two verdicts.
 */
export function readLabels(
  file: string,
  text: string,
  rangeFor: (scorer: string) => readonly [number, number],
): Labels {
  const { columns, records } = csvRecords(file, text)
  for (const column of ['id', 'scorer', 'verdict']) {
    if (columns.includes(column)) continue
    const near = nearest(column, columns)
    throw new UserError(
      `${file}:1: has no column "${column}"${near === undefined ? '' : `; rename "${near}"`} (its columns: ${columns.join(', ')})`,
    )
  }
  const scorer = oneScorer(records)
  if (scorer === undefined)
    throw new UserError(`${file}: has no line below its column names; draw it again with "gembench judge sample"`)
  const range = rangeFor(scorer)
  const seen = new Map<string, { readonly verdict: number | null; readonly record: CsvRecord }>()
  const lines: LabelLine[] = []
  let repeated = 0
  for (const record of records) {
    const line = { ids: idsOf(record), verdict: verdictOf(record, range) }
    const earlier = line.ids.flatMap((id) => seen.get(id) ?? [])
    const other = earlier.find(({ verdict }) => verdict !== line.verdict)
    if (other)
      throw new UserError(
        `${record.placeOf('verdict')}: this answer has another verdict at ${other.record.placeOf('verdict').slice(file.length + 1)}; keep one of the two lines`,
      )
    const ids = line.ids.filter((id) => !seen.has(id))
    for (const id of ids) seen.set(id, { verdict: line.verdict, record })
    if (ids.length > 0) lines.push({ ...line, ids })
    else repeated++
  }
  if (lines.every(({ verdict }) => verdict === null))
    throw new UserError(`${file}: no line has a verdict yet; fill in the column "verdict"`)
  return { file, scorer, lines, repeated }
}

function oneScorer(records: readonly CsvRecord[]): string | undefined {
  const [first, ...others] = records
  const scorer = first?.cells['scorer']
  const other = others.find(({ cells }) => cells['scorer'] !== scorer)
  if (other)
    throw new UserError(
      `${other.placeOf('scorer')}: scorer "${other.cells['scorer'] ?? ''}", but "${scorer ?? ''}" above; check the labels of one scorer at a time`,
    )
  return scorer === undefined ? undefined : withoutApostrophe(scorer)
}

function idsOf(record: CsvRecord): readonly string[] {
  const ids = (record.cells['id'] ?? '').split(/\s+/).filter((id) => id !== '')
  if (ids.length === 0)
    throw new UserError(`${record.placeOf('id')}: the id is missing; restore it, or remove the line`)
  return [...new Set(ids)]
}

const words: Readonly<Record<string, number>> = { yes: 1, right: 1, true: 1, no: 0, wrong: 0, false: 0 }

function verdictOf(record: CsvRecord, [least, greatest]: readonly [number, number]): number | null {
  const text = record.cells['verdict'] ?? ''
  if (text === '') return null
  const word = text.toLowerCase()
  const isNumber = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(text)
  const value = isNumber ? Number(text.replace(',', '.')) : Object.hasOwn(words, word) ? words[word] : undefined
  if (value !== undefined && value >= least && value <= greatest) return value
  const near = value === undefined ? nearest(word, Object.keys(words)) : undefined
  const hint = near === undefined ? `a number from ${least} to ${greatest}, or yes or no` : `did you mean "${near}"?`
  throw new UserError(
    `${record.placeOf('verdict')}: verdict ${JSON.stringify(text.slice(0, 60))}: ${near === undefined ? `expected ${hint}` : hint}`,
  )
}
