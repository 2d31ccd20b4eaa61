import { UserError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import { isObject } from '../formats/shape.ts'
import { fields, type Field, type FilesOptions } from './options.ts'

/** Columns by field, as the config names them; a field that is not there has its own name. */
type Mapping = NonNullable<FilesOptions['columns']>

/** The values that a record gives a field; none where it says nothing of it. */
export type FieldValues = (field: Field) => readonly unknown[]

/** Reads the values of fields from records, by the names of the config or by those of the fields in any case. */
export interface Columns {
  /** The values of a record, by field; a value is a text, a number, a truth value or an object. Throws UserError naming `where`. */
  read(value: unknown, where: string): FieldValues
  /** Throws UserError for a column that the config names and no record has. */
  finish(file: string): void
  /** The columns that no field takes, in the order in which they were met; a record may hold more of a question than is read. */
  unread(): readonly string[]
}

/** Columns as the config names them; `split` divides a text into the values that it holds. */
export function columnsOf(mapping: Mapping = {}, split: (text: string) => readonly string[]): Columns {
  const seen = new Set<string>()
  const own = new Set(fields.flatMap((field) => mappedTo(mapping[field]) ?? []))
  const valuesOf = (value: unknown): readonly unknown[] => {
    if (value === null || value === undefined) return []
    if (Array.isArray(value)) return value.flatMap(valuesOf)
    if (typeof value !== 'string') return [value]
    return split(value)
  }
  return {
    read(value, where) {
      if (!isObject(value)) throw new UserError(`${where}: expected an object with "question"`)
      const names = Object.keys(value)
      for (const name of names) {
        if (!seen.has(name) && !own.has(name)) refuseNear(name, names, mapping, where)
        seen.add(name)
      }
      return (field) =>
        (mappedTo(mapping[field]) ?? names.filter((name) => name.toLowerCase() === field)).flatMap((name) =>
          // these are taken whole: a sign in them need not separate anything
          (field === 'question' || field === 'evidence') && typeof value[name] === 'string'
            ? [value[name].trim()].filter((text) => text !== '')
            : valuesOf(value[name]),
        )
    },
    finish(file) {
      for (const field of fields)
        for (const name of mappedTo(mapping[field]) ?? [])
          if (!seen.has(name)) throw new UserError(`${file}: ${missing(name, `columns.${field}`, [...seen])}`)
    },
    unread: () => [...seen].filter((name) => !own.has(name) && !isField(name, mapping)),
  }
}

/** Whether the column of this name is read because a field has it, which the config does not look for elsewhere. */
const isField = (name: string, mapping: Mapping): boolean =>
  fields.some((field) => mapping[field] === undefined && field === name.toLowerCase())

/** `no column "Frage" (columns.question); did you mean "Fragen"? (found: …)` */
export function missing(name: string, from: string, found: readonly string[]): string {
  const near = nearest(name, found)
  return `no column "${name}"${from === name ? '' : ` (${from})`}${near === undefined ? '' : `; did you mean "${near}"?`} (found: ${found.join(', ')})`
}

const mappedTo = (column: string | readonly string[] | null | undefined): readonly string[] | undefined =>
  column === undefined ? undefined : column === null ? [] : typeof column === 'string' ? [column] : column

/** A column that is nearly named as a field that no other column gives: read past, it would be lost without a word. */
function refuseNear(name: string, names: readonly string[], mapping: Mapping, where: string): void {
  const plain = name.toLowerCase()
  const free = fields.filter(
    (field) => mapping[field] === undefined && !names.some((other) => other.toLowerCase() === field),
  )
  const near =
    plain.length >= 4
      ? nearest(
          plain,
          free.filter((field) => field[0] === plain[0]),
        )
      : undefined
  if (near !== undefined)
    throw new UserError(
      `${where}: unknown column "${name}"; did you mean "${near}"? Rename it, or set columns.${near} to its name, or to null where it is something else`,
    )
}
