import { UserError } from '../../errors.ts'
import { parseListLiteral } from '../../text/list-literal.ts'
import type { Field } from './options.ts'

/** Reads the values that a text holds for a field, empty ones too. */
export type ValuesOfText = (text: string, field: Field, where: string) => readonly string[]

/** Texts of JSON and YAML, where several values are a list: each is one value. */
export const wholeText: ValuesOfText = (text) => [text.trim()]

/** Fields that have one value; the others may have several, of a cell too. */
const single: readonly Field[] = ['id', 'question', 'correct', 'cluster', 'synthetic']

/** Fields whose values are often names or short texts: a sign without spaces parts these, too. */
const partedBare: readonly Field[] = ['options', 'document', 'tags']

/**
 * The values of a cell of CSV: a list of quoted texts, or parts between "|" with spaces outside brackets. Throws
 * UserError for a cell that may be read in two ways.
 */
export const valuesOfCell: ValuesOfText = (cell, field, where) => {
  const text = cell.trim()
  if (text === '') return [text]
  if (spreadsheetError.test(text))
    throw new UserError(`${where}: "${field}" is ${text}, an error of a spreadsheet; write the text`)
  if (single.includes(field)) return [text]
  const list = parseListLiteral(text)
  if (list && (list.length > 0 || field !== 'answer')) return list
  if (field === 'evidence') return [text]
  if (listPattern.test(text))
    throw new UserError(
      `${where}: "${field}" is ${quoteShort(text)}, a list or a text; write ["one", "two"] for several, ["…"] for one, or leave it empty`,
    )
  return partsOf(text, field, where)
}

/** The cell that is read as one value again. */
export function cellOf(value: string, field: Field): string {
  if (single.includes(field)) return value
  try {
    const values = valuesOfCell(value, field, '')
    if (values.length === 1 && values[0] === value) return value
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
  return JSON.stringify([value])
}

const spreadsheetError = /^#(?:NAME\?|REF!|VALUE!|DIV\/0!|NUM!|NULL!|N\/A|#+)$/

const listPattern = new RegExp(
  [
    String.raw`^\[\s*(?:['"].*)?\]$`,
    String.raw`^\[(?:[\s,]*(?:-?\d[\d.eE+-]*|nan|None|null|True|False|true|false))+[\s,]*\]$`,
    String.raw`^\{\s*['"].*\}$`,
    String.raw`^\(\s*(['"]).*\1\s*,.*\)$`,
    String.raw`^array\(.*\)$`,
  ].join('|'),
  's',
)

/** The parts of a cell between its separating "|". */
function partsOf(text: string, field: Field, where: string) {
  const all: number[] = []
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1)
    else if (sign === '|' && depth === 0) all.push(at)
  }
  const spacedBars = all.filter((at) => isSpace(text[at - 1]) && isSpace(text[at + 1]))
  const cuts = spacedBars.length > 0 ? spacedBars : partedBare.includes(field) ? all : []
  const isUnclear = (depth > 0 && text.includes('|')) || (cuts.length === 0 && all.length > 0)
  if (isUnclear)
    throw new UserError(
      `${where}: "${field}" is ${quoteShort(text)}, one value or several; write "a | b" with spaces for several, or ["…"] for one`,
    )
  return [...cuts, text.length].map((end, index) => text.slice((cuts[index - 1] ?? -1) + 1, end).trim())
}

const isSpace = (sign: string | undefined) => sign === undefined || /\s/.test(sign)

const quoteShort = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
