/** Offset of the first character that breaks the JSON grammar (RFC 8259); the text's length when it ends too early or nothing is wrong. */
export function malformedAt(text: string): number {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.test(text)
    if (found) at = pattern.lastIndex
    return found
  }
  const member = (): boolean => take(string) && take(colon) && value()
  const list = (item: () => boolean, end: RegExp): boolean => {
    if (take(end)) return true
    do if (!item()) return false
    while (take(comma))
    return take(end)
  }
  const value = (): boolean => {
    if (take(scalar) || take(string)) return true
    if (take(brace)) return list(member, closingBrace)
    return take(bracket) && list(value, closingBracket)
  }
  value()
  take(space)
  return at
}

const space = /[ \t\r\n]*/y
const string = /[ \t\r\n]*"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"[ \t\r\n]*/y
const scalar = /[ \t\r\n]*(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])[ \t\r\n]*/y
const colon = /[ \t\r\n]*:[ \t\r\n]*/y
const comma = /[ \t\r\n]*,[ \t\r\n]*/y
const brace = /[ \t\r\n]*\{[ \t\r\n]*/y
const closingBrace = /[ \t\r\n]*\}[ \t\r\n]*/y
const bracket = /[ \t\r\n]*\[[ \t\r\n]*/y
const closingBracket = /[ \t\r\n]*\][ \t\r\n]*/y
