import { paragraphs } from '../../../../text/paragraphs.ts'

/**
 * A text as paragraphs of one line each. A blank line ends a paragraph; so does a line break after a heading or a list item,
 * but not one that only wraps a long line.
 */
export const unwrappedParagraphs = (text: string): readonly string[] =>
  paragraphs(text).flatMap((paragraph) => unwrapped(paragraph.text))

function unwrapped(block: string): readonly string[] {
  const joined: string[] = []
  let before = ''
  for (const line of block.split('\n').map((raw) => raw.trim())) {
    const goesOn = joined.length > 0 && (/^\p{Ll}/u.test(line) || wrapped(before))
    joined.push(goesOn ? `${joined.pop() ?? ''} ${line}` : line)
    before = line
  }
  return joined
}

/** Lines wrapped by a typist are nearly full and not longer than a screen. */
const wrapped = (line: string): boolean => line.length >= 60 && line.length <= 90
