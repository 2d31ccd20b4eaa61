/** The texts of a list in brackets, all quoted, as JSON and Python write it; undefined where a text is no such list. */
export function listedTexts(text: string): readonly string[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined
  const inner = text.slice(1, -1)
  const texts: string[] = []
  let at = 0
  while (inner.slice(at).trim() !== '') {
    item.lastIndex = at
    const found = item.exec(inner)
    if (!found) return undefined
    texts.push(unescaped(found[1] ?? found[2] ?? ''))
    at = item.lastIndex
  }
  return texts
}

const item = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*(?:,|$)/suy

/** A text without the escapes of JSON and Python. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:u([\da-fA-F]{4})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|x([\da-fA-F]{2})|.)/gs,
    (all, ...codes: (string | undefined)[]) => {
      const code = codes.slice(0, 3).find((digits) => digits !== undefined)
      const sign = all.slice(1)
      return code === undefined ? (controls[sign] ?? sign) : String.fromCodePoint(parseInt(code, 16))
    },
  )

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
