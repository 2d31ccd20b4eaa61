import { UserError } from '../../errors.ts'
import type { Document } from '../../types.ts'
import { isObject } from '../formats/shape.ts'

/**
 * The document of a record with `text`, and `title` and `id` (or `_id`) where it has them; `id` is that of a record without one. The text
 * begins with the title. Throws UserError naming `where`.
 */
export function documentOf(value: unknown, id: string, where: string): Document {
  if (!isObject(value)) throw new UserError(`${where}: expected an object with "text"`)
  const { text } = value
  if (typeof text !== 'string') throw new UserError(`${where}: "text" is ${text === undefined ? 'missing' : 'no text'}`)
  const own = shortText(value['id'] ?? value['_id'], 'id', where)
  const title = shortText(value['title'], 'title', where)
  const named = { id: own === '' ? id : own, text }
  if (title === '') return named
  return { ...named, title, text: text.startsWith(title) ? text : `${title}\n\n${text}`.trimEnd() }
}

/** A text or a number as a text without the white space around it; empty where there is none. */
function shortText(value: unknown, name: string, where: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim()
  throw new UserError(`${where}: "${name}" must be a text`)
}
