/** Python's string.punctuation. */
const punctuation = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')

/** The code points at which Python's str.split() cuts, beside U+2000 to U+200A. */
const spaces = new Set(
  [9, 10, 11, 12, 13, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].map(
    (code) => String.fromCharCode(code),
  ),
)

/** The tokens of normalize_answer, which the scripts of SQuAD, Qasper and MuSiQue have in common: lower case, no punctuation, no articles. */
export function tokensOf(answer: string): string[] {
  const tokens: string[] = []
  let token = ''
  // Python's \b stands where a letter, digit or underscore meets another sign, also within a token: "the—end"
  let word = ''
  const endWord = (): void => {
    if (['a', 'an', 'the'].includes(word)) endToken()
    else token += word
    word = ''
  }
  const endToken = (): void => {
    if (token !== '') tokens.push(token)
    token = ''
  }
  for (const sign of answer.toLowerCase()) {
    if (punctuation.has(sign)) continue
    if (/[\p{L}\p{N}_]/u.test(sign)) {
      word += sign
      continue
    }
    endWord()
    if (isSpace(sign)) endToken()
    else token += sign
  }
  endWord()
  endToken()
  return tokens
}

/** normalize_answer. */
export const normalised = (answer: string): string => tokensOf(answer).join(' ')

/** How many tokens two lists share, each as often as both hold it (Counter & Counter). */
export function inCommon(one: readonly string[], other: readonly string[]): number {
  const left = [...other]
  return one.filter((token) => {
    const at = left.indexOf(token)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }).length
}

const isSpace = (sign: string): boolean => spaces.has(sign) || (sign >= '\u2000' && sign <= '\u200a')
