import { quoted, type ReportError } from '../errors/error-list.ts'
import { recordOf } from '../record/record.ts'
import { child, type Located } from '../source/located-value.ts'

/** The value of an option or key as it stands in the tables: plain where it cannot be misread, otherwise JSON; variables stay unexpanded, keys hidden. */
export function variedText(option: string, value: Located): string {
  const { at } = value
  const record = recordOf({ kind: 'mapping', at, entries: new Map([[option, { key: at, value }]]) }, {}, (text) => text)
  const written = record[option]
  const isPlain = typeof written === 'string' && /^[^\p{C}\s",=[\]{}]+$/u.test(written) && !looksOther(written)
  return isPlain ? written : JSON.stringify(written)
}

/**
 * The values of a key of the config as they stand in the tables: of datasets, models and the like their names (`use`) alone, where no two
 * have the same.
 */
export function variedTexts(option: string, values: readonly Located[]): readonly string[] {
  const names = values.map((value) => {
    const name = value.kind === 'mapping' ? child(value, 'use') : value
    return name && variedText(option, name)
  })
  const areNames = names.every((name) => name !== undefined && /^[^[{]/.test(name))
  const tell = areNames && new Set(names).size === values.length
  return values.map((value, index) => (tell ? names[index] : undefined) ?? variedText(option, value))
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
