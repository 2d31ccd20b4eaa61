/** The strings of a list literal of JSON or Python; undefined for other texts. */
export function parseListLiteral(text: string): readonly string[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined
  const inner = text.slice(1, -1)
  const texts: string[] = []
  let at = 0
  while (inner.slice(at).trim() !== '') {
    item.lastIndex = at
    const match = item.exec(inner)
    if (!match) return undefined
    texts.push(unescape(match[1] ?? match[2] ?? ''))
    at = item.lastIndex
  }
  return texts
}

const item = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*(?:,|$)/suy

/** Resolves the escapes of JSON and Python. */
const unescape = (text: string) =>
  text.replace(
    /\\(?:u([\da-fA-F]{4})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|x([\da-fA-F]{2})|.)/gs,
    (all, ...codes: (string | undefined)[]) => {
      const code = codes.slice(0, 3).find((digits) => digits !== undefined)
      const sign = all.slice(1)
      return code === undefined ? (controls[sign] ?? sign) : String.fromCodePoint(parseInt(code, 16))
    },
  )

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
