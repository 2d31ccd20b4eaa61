import { isObject } from '../../basics/plain-data.ts'
import { UserError } from '../../errors.ts'
import { nearest } from '../../text/names.ts'
import { checkId } from '../../text/check-id.ts'
import type { Evidence, Question, Reference } from '../../types.ts'
import { digitsOf, unanswerable } from '../shared/document-of-record.ts'
import type { ValuesOfText } from './cell-values.ts'
import type { Quoted } from './find-evidence.ts'
import { type Field, fields, type FilesOptions } from './options.ts'
/** The tag of every question that a model drafted; it marks one also where the model's name is missing. */
export const syntheticTag = 'synthetic'

/**
 * A question of the values of its fields: a choice with options, else with answers or summaries; with none, no right
 * answer is known. The answer "Unanswerable": the documents hold none. Throws UserError naming `where`.
 */
export function toQuestion(
  values: FieldValues,
  number: number,
  where: string,
  find: (quotation: Quoted, where: string) => readonly Evidence[],
): Question {
  const texts = (field: Field) =>
    values(field).map((value) => {
      const text = textOf(value, field, where)
      return field === 'id' || field === 'document' ? checkId(text, field, where) : text
    })
  const single = (field: Field): string | undefined => {
    const [only, second] = texts(field)
    if (second !== undefined) throw new UserError(`${where}: "${field}" has ${values(field).length} values; give one`)
    return only
  }
  const id = single('id') ?? String(number)
  const text = single('question')
  const cluster = single('cluster')
  const synthetic =
    single('synthetic') ?? (texts('tags').includes(syntheticTag) ? 'a model that is not named' : undefined)
  if (text === undefined || text === '') throw new UserError(`${where}: the question is empty`)
  const summaries = texts('summary')
  const reference = referenceOf(texts('options'), single('correct'), texts('answer'), where)
  if (summaries.length > 0 && (reference.kind === 'choice' || reference.accepted.length > 0))
    throw new UserError(`${where}: a question with "summary" cannot have "answer" or "options"; clear one of them`)
  const tags = [...new Set([...texts('tags'), ...(synthetic === undefined ? [] : [syntheticTag])])]
  const mustContain = texts('mustContain')
  const mustNotContain = texts('mustNotContain')
  const common = {
    id,
    text,
    ...(tags.length > 0 && { tags }),
    ...(cluster !== undefined && { cluster }),
    ...(synthetic !== undefined && { synthetic }),
    ...(mustContain.length > 0 && { mustContain }),
    ...(mustNotContain.length > 0 && { mustNotContain }),
  }
  const evidence = evidenceOf(values('evidence'), texts('document'), where, find)
  if (reference.kind === 'answer' && reference.accepted.some(({ type }) => type === 'unanswerable')) {
    if (reference.accepted.length > 1 || (evidence && evidence.length > 0))
      throw new UserError(`${where}: a question with the answer "Unanswerable" cannot have another answer or evidence`)
    return { ...common, ...unanswerable, tags: [...new Set([...tags, 'unanswerable'])] }
  }
  const right: Reference = summaries.length > 0 ? { kind: 'summary', accepted: summaries } : reference
  return { ...common, reference: right, ...(evidence && { evidence }) }
}

function referenceOf(
  options: readonly string[],
  correct: string | undefined,
  answers: readonly string[],
  where: string,
): Reference {
  if (options.length === 0) {
    if (correct !== undefined) throw new UserError(`${where}: "correct" needs "options"`)
    const isNone = (text: string) => text.toLowerCase() === 'unanswerable'
    return {
      kind: 'answer',
      accepted: answers.map((text) => (isNone(text) ? { text, type: 'unanswerable' } : { text })),
    }
  }
  if (options.length === 1) throw new UserError(`${where}: a choice needs at least two options`)
  const [answer, second] = answers
  if (second !== undefined) throw new UserError(`${where}: a choice has one right answer, not ${answers.length}`)
  const choice = correct ?? answer
  if (choice === undefined)
    throw new UserError(
      `${where}: "correct" is missing; give the number from 1, the letter or the words of the right option`,
    )
  return { kind: 'choice', options, correct: optionOf(choice, options, where) }
}

function optionOf(choice: string, options: readonly string[], where: string) {
  const byWords = options.indexOf(choice)
  const markIndex = /^\d+$/.test(choice)
    ? Number(choice) - 1
    : /^[a-z]$/i.test(choice)
      ? choice.toUpperCase().charCodeAt(0) - 65
      : -1
  const byMark = markIndex < options.length ? markIndex : -1
  if (byWords < 0 && byMark < 0)
    throw new UserError(
      `${where}: "correct" is ${JSON.stringify(choice)}, which is not one of the ${options.length} options; give a number from 1, a letter or the words`,
    )
  if (byWords >= 0 && byMark >= 0 && byWords !== byMark)
    throw new UserError(
      `${where}: "correct" is ${choice}: option ${byMark + 1} or the option "${choice}"; give its letter`,
    )
  return byWords >= 0 ? byWords : byMark
}

function evidenceOf(
  pieces: readonly unknown[],
  documents: readonly string[],
  where: string,
  find: (quotation: Quoted, where: string) => readonly Evidence[],
): readonly Evidence[] | undefined {
  if (pieces.length === 0) return documents.length === 0 ? undefined : find({ documents }, where)
  const evidence = pieces.flatMap((piece) => {
    if (!isObject(piece)) return find({ text: textOf(piece, 'evidence', where), documents }, where)
    const { document, text, ...rest } = piece
    const [unknown] = Object.keys(rest)
    const problem = unknown === undefined ? 'is empty' : `has the unknown key ${JSON.stringify(unknown)}`
    if (unknown !== undefined || (document === undefined && text === undefined))
      throw new UserError(`${where}: a piece of evidence ${problem}; expected { document, text }, or one of the two`)
    const documentIds = document === undefined ? documents : [textOf(document, 'evidence.document', where)]
    const quotation = text === undefined ? {} : { text: textOf(text, 'evidence.text', where) }
    return find({ documents: documentIds, ...quotation }, where)
  })
  const keyOf = ({ documentId, start, text, missing }: Evidence) => JSON.stringify([documentId, start, missing && text])
  return [...new Map(evidence.map((piece) => [keyOf(piece), piece])).values()]
}

function textOf(value: unknown, name: string, where: string) {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  if (typeof value === 'number') return digitsOf(value, name, where)
  if (typeof value === 'boolean') return String(value)
  throw new UserError(`${where}: "${name}" must be a text that is not empty`)
}

type Mapping = NonNullable<FilesOptions['columns']>

/** The values of a field in one record. */
type FieldValues = (field: Field) => readonly unknown[]

/**
 * Reads the values of fields from records, by the names of the config or by those of the fields in any case;
 * `valuesOfText` splits a text into its values.
 */
export function columnsOf(mapping: Mapping = {}, valuesOfText: ValuesOfText) {
  const columnNames = new Set<string>()
  const mappedNames = new Set(fields.flatMap((field) => mappedTo(mapping[field]) ?? []))
  const valuesOf = (value: unknown, field: Field, where: string): readonly unknown[] => {
    if (value === null || value === undefined) return ['']
    if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, field, where))
    return typeof value === 'string' ? valuesOfText(value, field, where) : [value]
  }
  return {
    /** The values of a record, by field. Throws UserError naming `where`, or `header` for the names of columns. */
    read(value: unknown, where: string, header = where): FieldValues {
      if (!isObject(value)) throw new UserError(`${where}: expected an object with "question"`)
      const names = Object.keys(value)
      for (const name of names) {
        if (!columnNames.has(name) && !mappedNames.has(name)) refuseNear(name, names, mapping, header)
        columnNames.add(name)
      }
      if (!hasQuestion(names, mapping)) throw new UserError(`${header}: ${withoutQuestion(names, mapping)}`)
      return (field) => {
        const columns = columnsFor(field, names, mapping)
        const all = columns.flatMap((name) => valuesOf(value[name], field, where))
        const values = all.filter((text) => text !== '')
        // the right option may be given by its number
        const gap = all.indexOf('')
        if (field === 'options' && gap >= 0 && gap < values.length)
          throw new UserError(`${where}: option ${gap + 1} is empty; fill it, or move empty ones to the end`)
        return values
      }
    },
    /** Throws UserError for a column that the config names and no record has. */
    finish(file: string): void {
      for (const field of fields)
        for (const name of mappedTo(mapping[field]) ?? [])
          if (!columnNames.has(name))
            throw new UserError(`${file}: ${missing(`"${name}" (columns.${field})`, name, [...columnNames])}`)
    },
    /** The columns that no field takes, in order of appearance. */
    unread: (): readonly string[] =>
      [...columnNames].filter(
        (name) =>
          !mappedNames.has(name) && !fields.some((field) => mapping[field] === undefined && isNameOf(name, field)),
      ),
  }
}

const columnsFor = (field: Field, names: readonly string[], mapping: Mapping) =>
  mappedTo(mapping[field]) ?? names.filter((name) => isNameOf(name, field))

/** Whether one of the columns is that of the question. */
const hasQuestion = (names: readonly string[], mapping: Mapping = {}) =>
  columnsFor('question', names, mapping).some((name) => names.includes(name))

function withoutQuestion(names: readonly string[], mapping: Mapping) {
  const columns = mappedTo(mapping.question)
  if (columns) return missing(`"${columns.join('", "')}" (columns.question)`, columns.join(), names)
  const example = JSON.stringify(names[0] ?? 'NAME')
  return `${missing('"question"', 'question', names)}; name one "question", or set columns: { question: ${example} }`
}

/** Whether a column has the name of a field: in any case, and with spaces, hyphens or underscores between its words. */
const isNameOf = (name: string, field: Field) => name.toLowerCase().replace(/[\s_-]+/g, '') === field.toLowerCase()

function missing(column: string, name: string, columns: readonly string[]) {
  const near = nearest(name, columns)
  const advice = near === undefined ? '' : `; did you mean "${near}"?`
  return `no column ${column}${advice} (found: ${columns.join(', ')})`
}

const mappedTo = (column: string | readonly string[] | null | undefined) =>
  column === undefined ? undefined : [column ?? []].flat()

function refuseNear(name: string, names: readonly string[], mapping: Mapping, where: string) {
  const plain = name.toLowerCase()
  const freeFields = fields.filter((field) => mapping[field] === undefined)
  if (plain.length < 4 || freeFields.some((field) => isNameOf(name, field))) return
  const near = nearest(
    plain,
    freeFields.filter((field) => field[0] === plain[0] && !names.some((column) => isNameOf(column, field))),
  )
  if (near !== undefined)
    throw new UserError(
      `${where}: unknown column "${name}"; did you mean "${near}"? rename it, or set columns.${near} to its name or to null`,
    )
}
