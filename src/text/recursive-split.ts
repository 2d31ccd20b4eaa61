import { itemAt } from '../basics/collections.ts'
import type { Span } from './tokens.ts'

/** Where a text is cut, the first that it holds first; the last cuts between any two characters. */
const separators = ['\n\n', '\n', ' ', '']

/**
 * The pieces of a text of at most `size`, as LangChain's RecursiveCharacterTextSplitter cuts it, with `overlap` at most
 * repeated. `measure`: the length of a part, in UTF-16 code units where it is absent; that of a piece is their sum.
 * White space around a piece is left out. Throws RangeError where the overlap is not smaller than the size.
 */
export function recursiveSplit(
  text: string,
  { size, overlap }: { readonly size: number; readonly overlap: number },
  measure: (part: string) => number = (part) => part.length,
): readonly Span[] {
  if (overlap >= size) throw new RangeError(`an overlap of ${overlap} does not fit into ${size}`)
  const sizes = { size, overlap, lengthOf: ({ start, end }: Span) => measure(text.slice(start, end)) }
  return cut(text, { start: 0, end: text.length }, separators, sizes).flatMap((span) => trimmed(text, span))
}

interface Sizes {
  readonly size: number
  readonly overlap: number
  readonly lengthOf: (part: Span) => number
}

function cut(text: string, whole: Span, choice: readonly string[], sizes: Sizes): readonly Span[] {
  const own = text.slice(whole.start, whole.end)
  const place = choice.findIndex((separator) => own.includes(separator))
  const rest = choice.slice(place + 1)
  const found: Span[] = []
  let fitting: Span[] = []
  for (const part of parts(text, whole, itemAt(choice, place))) {
    if (sizes.lengthOf(part) < sizes.size) {
      fitting.push(part)
      continue
    }
    found.push(...joined(fitting, sizes))
    fitting = []
    found.push(...(rest.length === 0 ? [part] : cut(text, part, rest, sizes)))
  }
  return [...found, ...joined(fitting, sizes)]
}

/** The parts between separators, each but the first with its separator in front; none is empty. */
function parts(text: string, { start, end }: Span, separator: string): readonly Span[] {
  const starts = [start]
  if (separator === '') {
    for (const character of text.slice(start, end)) starts.push(itemAt(starts, -1) + character.length)
    starts.pop()
  } else {
    for (let at = text.indexOf(separator, start); at >= 0 && at + separator.length <= end;) {
      starts.push(at)
      at = text.indexOf(separator, at + separator.length)
    }
  }
  return starts
    .map((from, index) => ({ start: from, end: starts[index + 1] ?? end }))
    .filter((part) => part.end > part.start)
}

/** Neighbouring parts together, as many as fit; the last ones, as many as the overlap holds, begin the next. */
function joined(all: readonly Span[], { size, overlap, lengthOf }: Sizes): readonly Span[] {
  const found: Span[] = []
  const lengths = all.map(lengthOf)
  let first = 0
  let held = 0
  for (const [index, length] of lengths.entries()) {
    if (held + length > size && index > first) {
      found.push(spanOf(all.slice(first, index)))
      while (held > overlap || (held + length > size && held > 0)) held -= itemAt(lengths, first++)
    }
    held += length
  }
  return first < all.length ? [...found, spanOf(all.slice(first))] : found
}

function spanOf(some: readonly Span[]): Span {
  const [first, last] = [some[0], some.at(-1)]
  if (!first || !last) throw new Error('a piece without a part')
  return { start: first.start, end: last.end }
}

function trimmed(text: string, { start, end }: Span): readonly Span[] {
  const piece = text.slice(start, end)
  const from = start + (piece.length - piece.trimStart().length)
  return piece.trim() === '' ? [] : [{ start: from, end: from + piece.trim().length }]
}
