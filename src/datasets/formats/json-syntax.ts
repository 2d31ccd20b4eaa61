/**
 * Offset of the first character that breaks the JSON grammar (RFC 8259); of a string or number that is malformed, where it begins. The
 * text's length when it ends too early or nothing is wrong. Time is linear in the length, and depth costs no stack.
 */
export function malformedAt(text: string): number {
  const closers: string[] = []
  let at = afterSpace(text, 0)
  for (;;) {
    if (closers.at(-1) === '}') {
      const key = stringEnd(text, at)
      if (key < 0) return at
      at = afterSpace(text, key)
      if (text[at] !== ':') return at
      at = afterSpace(text, at + 1)
    }
    const closer = text[at] === '{' ? '}' : text[at] === '[' ? ']' : undefined
    if (closer !== undefined) {
      at = afterSpace(text, at + 1)
      closers.push(closer)
      if (text[at] !== closer) continue
    } else {
      const end = text[at] === '"' ? stringEnd(text, at) : scalarEnd(text, at)
      if (end < 0) return at
      at = afterSpace(text, end)
    }
    while (closers.length > 0 && text[at] === closers.at(-1)) {
      closers.pop()
      at = afterSpace(text, at + 1)
    }
    if (closers.length === 0 || text[at] !== ',') return at
    at = afterSpace(text, at + 1)
  }
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++
  return at
}

/** Where the string that begins at `from` has ended; -1 where none begins there or it is malformed. */
function stringEnd(text: string, from: number): number {
  if (text[from] !== '"') return -1
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1
    if (text.charCodeAt(at) < 0x20) return -1
    if (text[at] !== '\\') continue
    escape.lastIndex = at
    if (!escape.test(text)) return -1
    at = escape.lastIndex - 1
  }
  return -1
}

/** Where the number or word that begins at `from` has ended; -1 where none begins there. */
function scalarEnd(text: string, from: number): number {
  scalar.lastIndex = from
  return scalar.test(text) ? scalar.lastIndex : -1
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
