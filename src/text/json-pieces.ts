/** The last code block fenced by ``` that holds a bracket; one that was never closed reaches to the end. */
export function lastFenced(text: string): string | undefined {
  let last: string | undefined
  let block: string | undefined
  const close = () => {
    if (block !== undefined && /[[{]/.test(block)) last = block
    block = undefined
  }
  for (const line of text.split('\n')) {
    const start = line.trimStart()
    if (start.startsWith('```')) {
      // a fence after an empty fence opens once more: models nest them
      const opens = block === undefined || block.trim() === ''
      close()
      if (!opens) continue
      block = withoutFence(start.replace(/^`+[ \t]*[\w+-]*/, ''))
      if (block.length > 0 && start.trimEnd().endsWith('```')) close()
    } else if (block !== undefined) {
      block += '\n' + withoutFence(line)
      if (line.trimEnd().endsWith('```')) close()
    }
  }
  close()
  return last
}

/**
 * From the first `[` or `{` to the last `]` or `}`. Where the text breaks off inside, the item that was cut is left out,
 * and nothing is given when no item is whole.
 */
export function bracketed(text = ''): string | undefined {
  const first = text.search(/[[{]/)
  if (first < 0) return undefined
  const body = text.slice(first).trimEnd()
  const slice = body.slice(0, Math.max(body.lastIndexOf(']'), body.lastIndexOf('}')) + 1)
  // a reply that ends in a bracket is whole, however its quotes may be muddled
  if (slice === body || (slice !== '' && !outline(slice).open)) return slice
  return body.slice(0, outline(body).whole) || undefined
}

/** Whether a bracket that opens in the text is never closed. */
export const breaksOff = (text: string): boolean => outline(text).open

/** The texts of all outermost pairs of brackets, in order, where words stand between some of them; else none. */
export function scattered(text: string): string[] {
  const { pieces } = outline(text)
  const words = pieces.some(({ start }, i) => /[^\s,;]/.test(text.slice(pieces[i - 1]?.end ?? start, start)))
  return words ? pieces.map(({ start, end }) => text.slice(start, end)) : []
}

interface Outline {
  /** Where outermost pairs of brackets begin and end. */
  readonly pieces: readonly { readonly start: number; readonly end: number }[]
  /** Whether a bracket is still open at the end. */
  readonly open: boolean
  /** Up to where the items of the outermost open list, or the properties of the outermost open object, are whole. */
  readonly whole: number
}

/** One walk over a text that may be broken JSON: brackets count unless they stand in a string, and strings only inside brackets. */
function outline(text: string): Outline {
  const pieces: { start: number; end: number }[] = []
  let depth = 0
  let list = 0 // depth of the outermost open list
  let start = 0
  let whole = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '[' || sign === '{') {
      if (depth === 0) start = at
      depth++
      if (sign === '[' && list === 0) list = depth
    } else if (depth === 0) continue
    else if (sign === '"') at = endOfString(text, at)
    else if (sign === ']' || sign === '}') {
      if (depth === list) list = 0
      depth--
      if (depth === 0) pieces.push({ start, end: at + 1 })
      if (depth === (list || 1)) whole = at + 1
    } else if (sign === ',' && depth === (list || 1)) whole = at
  }
  return { pieces, open: depth > 0, whole }
}

function endOfString(text: string, quote: number): number {
  let at = quote + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

const withoutFence = (line: string): string => line.trimEnd().replace(/(?<!`)`{3,}$/, '')
