import { decodeEntities } from '../../text/characters/html-entities.ts'

/** An entity as a text describes it; the name in upper case. */
export interface EntityRecord {
  readonly name: string
  readonly type: string
  readonly description: string
}

/** A relation as a text describes it; `strength` may be NaN or infinite where a model wrote so. */
export interface RelationRecord {
  readonly source: string
  readonly target: string
  readonly description: string
  readonly strength: number
}

/** What a reply says of a text's graph. */
export interface GraphRecords {
  readonly entities: readonly EntityRecord[]
  readonly relationships: readonly RelationRecord[]
}

/** What marks the end of a reply in the reference's delimiter form. */
export const endMarker = '<|COMPLETE|>'

/**
 * Reads GraphRAG's delimiter form: records between ##, one parenthesis stripped at either end, fields between <|>. What is no record is
 * passed over; what begins as one and lacks fields is counted as `skipped`. The end marker separates records, unless `glued`: then it stays
 * in the last record, as in the reference.
 */
export function readDelimited(text: string, { glued = false } = {}): GraphRecords & { readonly skipped: number } {
  const entities: EntityRecord[] = []
  const relationships: RelationRecord[] = []
  let skipped = 0
  for (const part of (glued ? text : text.replaceAll(endMarker, '##')).split('##')) {
    const record = part.trim()
    const fields = record.replace(/^\(|\)$/g, '').split('<|>')
    const [kind = '', first = '', second = '', third = ''] = fields
    if (kind === '"entity"' && fields.length >= 4) entities.push(entityRecord(first, second, third))
    else if (kind === '"relationship"' && fields.length >= 5)
      relationships.push(relationRecord(first, second, third, strengthOf(fields.at(-1) ?? '')))
    else if (/^\(?"/.test(record)) skipped++
  }
  return { entities, relationships, skipped }
}

/** An entity with its fields cleaned. */
export const entityRecord = (name: string, type: string, description: string): EntityRecord => ({
  name: cleanName(name),
  type: cleanName(type),
  description: clean(description),
})

/** A relation with its fields cleaned. */
export const relationRecord = (
  source: string,
  target: string,
  description: string,
  strength: number,
): RelationRecord => ({
  source: cleanName(source),
  target: cleanName(target),
  description: clean(description),
  strength,
})

/** A number as Python's float() reads it, and 1 where it is none (section 2.3). */
export function strengthOf(written: string): number {
  const text = written.trim().toLowerCase()
  const special = /^([+-]?)(?:(nan)|inf(?:inity)?)$/.exec(text)
  if (special) return special[2] === undefined ? (special[1] === '-' ? -Infinity : Infinity) : NaN
  const number = /^[+-]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?$/.test(text)
  return number ? Number(text.replaceAll('_', '')) : 1
}

/** A name as it is merged by: upper case first, so that only references in upper case are known after it. */
export const cleanName = (name: string): string => clean(name.toUpperCase())

// the reference takes control characters out without a space
const clean = (text: string): string => decodeEntities(text.trim()).replace(/[\u0000-\u001f\u007f-\u009f]/g, '')
