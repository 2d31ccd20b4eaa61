import { UserError } from '../../errors.ts'

/** The text of an object and where it begins, both counted from 1. */
export interface RawRecord {
  readonly line: number
  readonly column: number
  readonly text: string
}

export interface Splitter {
  /** The objects that end in this piece. Throws UserError where something else stands between two of them. */
  feed(piece: string): Generator<RawRecord>
  /** The object that the text broke off in. Throws UserError when the array around all was left open. */
  end(): RawRecord | undefined
}

/** Cuts a text that comes in pieces into its outermost objects; an array around them all is looked through. `file` is for messages. */
export function splitter(file: string): Splitter {
  let around: 'unread' | 'nothing' | 'array' | 'ended array' = 'unread'
  let depth = 0
  let inString = false
  let escaped = false
  let line = 1
  let column = 0
  let start = { line, column }
  let text = ''

  const begins = (sign: string): boolean => {
    if (sign === '{' && around !== 'ended array') {
      if (around === 'unread') around = 'nothing'
      return true
    }
    if (around === 'unread' && sign === '[') around = 'array'
    else if (around === 'array' && sign === ']') around = 'ended array'
    else if (!/\s/.test(sign) && !(around === 'array' && sign === ','))
      throw new UserError(`${file}:${line}:${column}: ${JSON.stringify(sign)} found where a JSON object should begin`)
    return false
  }
  const ends = (sign: string): boolean => {
    if (escaped) escaped = false
    else if (inString && sign === '\\') escaped = true
    else if (sign === '"') inString = !inString
    else if (inString) return false
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    return depth === 0
  }

  return {
    *feed(piece) {
      let from = 0
      for (let at = 0; at < piece.length; at++) {
        const sign = piece.charAt(at)
        column++
        if (depth === 0 && begins(sign)) {
          start = { line, column }
          from = at
          depth = 1
        } else if (depth > 0 && ends(sign)) {
          yield { ...start, text: text + piece.slice(from, at + 1) }
          text = ''
        }
        if (sign === '\n') {
          line++
          column = 0
        }
      }
      if (depth > 0) text += piece.slice(from)
    },
    end() {
      if (depth > 0) return { ...start, text }
      if (around === 'array') throw new UserError(`${file}:${line}:${column}: the array is not closed`)
      return undefined
    },
  }
}
