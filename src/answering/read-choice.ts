import { answerTokens } from '../text/words.ts'

/** Reads which option a reply means: a 0-based index, or null when none can be read; the first fitting rule decides. */
export function readChoice(reply: string, options: readonly string[]): number | null {
  const text = reply.trim()
  const whole = plain(text)
  const same = options.findIndex((option) => plain(option) === whole && whole !== '')
  if (same >= 0) return same
  return alone(text, options) ?? announced(text, options) ?? standaloneDigit(text, options) ?? quoted(whole, options)
}

/** `2`, `(B)`, `b.`, `3) the words of option 3`: the mark of an option and nothing that a sentence would hold. */
function alone(text: string, options: readonly string[]): number | null {
  const mark = /^[\s"'*_`([]*(\d{1,2}|[A-Za-z])(?:[\s"'*_`)\]]*$|[)\].:]+(?!\d))/.exec(text)?.[1]
  return mark === undefined ? null : fromMark(mark, options)
}

/** `The answer is (C)`, `Option 2`, `Answer: b`. */
function announced(text: string, options: readonly string[]): number | null {
  const announcement = /\b(?:answer|option|choice|choose|select|pick)\b(?:\s+(?:is|would be|number|option))*/giu
  // apart from the announcement, so that a run of such words is read once and not again from each of them
  const marked = /(?:\s*[:=])?[\s"'*_`([]*(\d{1,2}|[A-Za-z])(?![\p{L}\p{N}'’])/iuy
  const article = !/^[\s"'*_`([]*a[\s"'*_`)\].:]*$/.test(text.slice(text.lastIndexOf(' a')))
  while (announcement.test(text)) {
    marked.lastIndex = announcement.lastIndex
    const mark = marked.exec(text)?.[1]
    if (mark === undefined) continue
    announcement.lastIndex = marked.lastIndex
    // a lower-case "a" after such words is the article: "the answer is a lamp"
    const found = mark === 'a' && article ? null : fromMark(mark, options)
    if (found !== null) return found
  }
  return null
}

/** The first number that stands alone and names an option; 1876 and 2.5 do not. */
function standaloneDigit(text: string, options: readonly string[]): number | null {
  for (const [, digits = ''] of text.matchAll(/(?<![\p{L}\p{N}.,])(\d{1,2})(?![\p{L}\p{N}]|[.,]\d)/gu)) {
    const found = fromMark(digits, options)
    if (found !== null) return found
  }
  return null
}

/** The one option whose words stand in the reply; a longer one wins over those that it contains. */
function quoted(reply: string, options: readonly string[]): number | null {
  const found = options
    .map((option, index) => ({ index, words: plain(option) }))
    .filter(({ words }) => words !== '' && ` ${reply} `.includes(` ${words} `))
  const longest = found.filter((one) => !found.some((other) => other !== one && other.words.includes(one.words)))
  return longest.length === 1 ? (longest[0]?.index ?? null) : null
}

function fromMark(mark: string, options: readonly string[]): number | null {
  const index = /^\d+$/.test(mark) ? Number(mark) - 1 : mark.toUpperCase().charCodeAt(0) - 65
  return index >= 0 && index < options.length ? index : null
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The option with the largest share of the reply's tokens, as UnifiedQA's evaluation finds it; null for none. */
export function readOptionText(reply: string, options: readonly string[]) {
  const said = answerTokens(reply)
  const nearness = options.map((option) => likeness(said, answerTokens(option)))
  const best = Math.max(0, ...nearness)
  if (best === 0) return { choice: null }
  const tied = nearness.filter((one) => one === best).length > 1
  return { choice: nearness.indexOf(best), ...(tied && { tied }) }
}

/** 2 for the same tokens in the same order, so that an option wins over one of the same words in another order. */
function likeness(said: readonly string[], option: readonly string[]): number {
  if (said.length === 0 || option.length === 0) return 0
  if (said.join(' ') === option.join(' ')) return 2
  const own = new Set(option)
  const shared = [...new Set(said)].filter((token) => own.has(token)).length
  return shared / Math.max(said.length, option.length)
}
