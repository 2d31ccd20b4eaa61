import type { Span } from '../text/tokens.ts'

/** A heading: text, level from 1 to 6, and the start of its line. */
interface Heading {
  readonly text: string
  readonly level: number
  readonly start: number
}

/** A section with its headings, outermost first. */
export interface Section extends Span {
  readonly headings: readonly Heading[]
}

/** The sections of a Markdown text, without gaps. A heading directly below another begins none; code is skipped. */
export function sections(text: string): readonly Section[] {
  const result: Section[] = []
  let open: readonly Heading[] = []
  let start = 0
  let bodyFrom = 0
  const close = (end: number): void => {
    if (end > start) result.push({ start, end, headings: open })
    start = end
  }
  for (const heading of headingsOf(text)) {
    if (text.slice(bodyFrom, heading.start).trim() !== '') close(heading.start)
    open = [...open.filter(({ level }) => level < heading.level), heading]
    bodyFrom = heading.end
  }
  close(text.length)
  return result
}

/** The headings above a position of a section, as one line; empty without any. */
export const pathAt = ({ headings }: Section, start: number): string =>
  headings
    .filter((heading) => heading.start < start)
    .map((heading) => heading.text)
    .join(' > ')

/** The headings in order; `end` of their lines. */
function headingsOf(text: string): readonly (Heading & Span)[] {
  const headings: (Heading & Span)[] = []
  let fence: string | undefined
  let before: Span | undefined
  const front = /^---\n[\s\S]*?\n---(?:\n|$)/.exec(text)?.[0].length ?? 0
  for (const { 0: line, index } of text.slice(front).matchAll(/[^\n]+/g)) {
    const [start, end] = [front + index, front + index + line.length]
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      before = undefined
    } else if (mark !== undefined) {
      fence = mark
      before = undefined
    } else {
      const [, signs = '', words = ''] = /^ {0,3}(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []
      const [, underline] = /^ {0,3}(=|-)\1+[ \t]*$/.exec(line) ?? []
      if (signs !== '') headings.push({ text: words, level: signs.length, start, end })
      else if (underline !== undefined && before && before.end + 1 === start) {
        const title = text.slice(before.start, before.end).trim()
        headings.push({ text: title, level: underline === '=' ? 1 : 2, start: before.start, end })
      }
      const isPlain = signs === '' && underline === undefined && /^ {0,3}[^\s>|*+-]/.test(line)
      before = isPlain ? { start, end } : undefined
    }
  }
  return headings
}
