import { quoted, type ReportError } from '../errors/error-list.ts'
import { recordOf } from '../record/record.ts'
import type { Located } from '../source/located-value.ts'

/** The value of an option or key as it stands in the tables: plain where it cannot be misread, otherwise JSON; variables stay unexpanded, keys hidden. */
export function variedText(option: string, value: Located): string {
  const { at } = value
  const record = recordOf({ kind: 'mapping', at, entries: new Map([[option, { key: at, value }]]) }, {}, (text) => text)
  const written = record[option]
  const isPlain = typeof written === 'string' && /^[^\p{C}\s",=[\]{}]+$/u.test(written) && !looksOther(written)
  return isPlain ? written : JSON.stringify(written)
}

/** Whether a text would read as a number, true, false or null. */
const looksOther = (text: string): boolean => /^(true|false|null)$/.test(text) || !Number.isNaN(Number(text))

/** Whether no value of a list looks like an earlier one; each that does is reported. */
export function noneTwice(option: string, values: readonly Located[], report: ReportError): boolean {
  const texts = values.map((value) => variedText(option, value))
  const repeated = values.filter((_, index) => texts.indexOf(texts[index] ?? '') < index)
  for (const value of repeated) report(value.at, `${quoted(variedText(option, value))} is listed twice; remove one`)
  return repeated.length === 0
}
