import { sha256 } from './hash.ts'

/** A paragraph with its UTF-16 offsets in the text that it stands in. */
export interface Paragraph {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The paragraphs of a text: what stands between blank lines, without the white space around it. */
export function paragraphs(text: string): Paragraph[] {
  const found: Paragraph[] = []
  const add = (from: number, to: number) => {
    const part = text.slice(from, to)
    const start = from + part.length - part.trimStart().length
    if (part.trim() !== '') found.push({ text: part.trim(), start, end: start + part.trim().length })
  }
  let from = 0
  for (const gap of text.matchAll(/\n[^\S\n]*\n/g)) {
    add(from, gap.index)
    from = gap.index + gap[0].length
  }
  add(from, text.length)
  return found
}

/** What names a paragraph wherever it is met: the first 16 hex digits of the SHA-256 of its trimmed text. */
export const paragraphKey = (text: string): string => sha256(text.trim()).slice(0, 16)
