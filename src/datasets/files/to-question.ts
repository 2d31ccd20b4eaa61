import { UserError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import { isObject } from '../formats/shape.ts'
import { unanswerable } from '../shared/unanswerable.ts'
import type { Evidence, Question, Reference } from '../../types.ts'
import type { Quoted } from './find-evidence.ts'
import type { Field } from './options.ts'
import type { FieldValues } from './columns.ts'

/** The tag of every question that a model drafted, and of what is counted as one where it stands without the model's name. */
export const syntheticTag = 'synthetic'

/**
 * A question of the values of its fields. With options it is a choice; with answers, each is accepted; with summaries, each is a reference;
 * with none of them, no right answer is
 * known, and only what needs none is scored. The answer "Unanswerable" says that the documents hold none. Throws UserError naming `where`.
 */
export function toQuestion(
  values: FieldValues,
  number: number,
  where: string,
  find: (quoted: Quoted, where: string) => readonly Evidence[],
): Question {
  const texts = (field: Field): readonly string[] => values(field).map((value) => textOf(value, field, where))
  const one = (field: Field): string | undefined => {
    const [only, second] = texts(field)
    if (second !== undefined) throw new UserError(`${where}: "${field}" has ${values(field).length} values; give one`)
    return only
  }
  const [id, text, cluster] = [one('id') ?? String(number), one('question'), one('cluster')]
  const synthetic = one('synthetic') ?? (texts('tags').includes(syntheticTag) ? 'a model that is not named' : undefined)
  if (text === undefined || text === '') throw new UserError(`${where}: the question is empty`)
  const summaries = texts('summary')
  const reference = referenceOf(texts('options'), one('correct'), texts('answer'), where)
  if (summaries.length > 0 && (reference.kind === 'choice' || reference.accepted.length > 0))
    throw new UserError(
      `${where}: a question with "summary" cannot have "answer" or "options"; leave one of them empty`,
    )
  const tags = [...new Set([...texts('tags'), ...(synthetic === undefined ? [] : [syntheticTag])])]
  const common = {
    ...{ id, text, ...(tags.length > 0 && { tags }), ...(cluster !== undefined && { cluster }) },
    ...(synthetic !== undefined && { synthetic }),
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
    const isNone = (text: string): boolean => text.toLowerCase() === 'unanswerable'
    return {
      kind: 'answer',
      accepted: answers.map((text) => (isNone(text) ? { text, type: 'unanswerable' } : { text })),
    }
  }
  if (options.length === 1) throw new UserError(`${where}: a choice needs at least two options`)
  const [answer, another] = answers
  if (another !== undefined)
    throw new UserError(`${where}: a choice has one right answer, and ${answers.length} are given`)
  const said = correct ?? answer
  if (said === undefined)
    throw new UserError(`${where}: which option is right? Give "correct": its number from 1, its letter or its words`)
  return { kind: 'choice', options, correct: optionOf(said, options, where) }
}

/** The option that is meant by its words, its number from 1 or its letter; refused where words and number mean different ones. */
function optionOf(said: string, options: readonly string[], where: string): number {
  const byWords = options.indexOf(said)
  const marked = /^\d+$/.test(said)
    ? Number(said) - 1
    : /^[a-z]$/i.test(said)
      ? said.toUpperCase().charCodeAt(0) - 65
      : -1
  const byMark = marked < options.length ? marked : -1
  if (byWords < 0 && byMark < 0)
    throw new UserError(
      `${where}: "correct" is ${JSON.stringify(said)}, which is none of the ${options.length} options: give a number from 1, a letter or the words of one`,
    )
  if (byWords >= 0 && byMark >= 0 && byWords !== byMark)
    throw new UserError(
      `${where}: "correct" is ${said}: option ${byMark + 1}, or the option "${said}"? Give its letter`,
    )
  return byWords >= 0 ? byWords : byMark
}

/** Undefined where the record says nothing of evidence. */
function evidenceOf(
  quoted: readonly unknown[],
  documents: readonly string[],
  where: string,
  find: (quoted: Quoted, where: string) => readonly Evidence[],
): readonly Evidence[] | undefined {
  if (quoted.length === 0) return documents.length === 0 ? undefined : find({ documents }, where)
  const found = quoted.flatMap((one) => {
    if (!isObject(one)) return find({ text: textOf(one, 'evidence', where), documents }, where)
    refuseOther(one, where)
    const { document, text } = one
    const named = document === undefined ? documents : [textOf(document, 'evidence.document', where)]
    return find({ documents: named, ...(text !== undefined && { text: textOf(text, 'evidence.text', where) }) }, where)
  })
  return [...new Map(found.map((one) => [JSON.stringify([one.documentId, one.start]), one])).values()]
}

/** Throws UserError for a piece of evidence with a key of another name, and for one that says nothing. */
function refuseOther(piece: Readonly<Record<string, unknown>>, where: string): void {
  const known = ['document', 'text']
  const names = Object.keys(piece)
  const other = names.find((name) => !known.includes(name))
  const expected = 'expected { document, text }, or one of the two'
  if (other !== undefined) {
    const near = nearest(other, known)
    throw new UserError(
      `${where}: unknown key ${JSON.stringify(other)} of evidence${near === undefined ? '' : `; did you mean "${near}"?`} (${expected})`,
    )
  }
  if (names.length === 0) throw new UserError(`${where}: a piece of evidence is empty; ${expected}`)
}

function textOf(value: unknown, name: string, where: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  throw new UserError(`${where}: "${name}" must be a text that is not empty`)
}
