import { itemAt } from '../basics/collections.ts'
import { trimSpan } from './sentences.ts'
import { spanOf, type Span } from './tokens.ts'

/** Separators by priority; the last splits between characters. */
const separators = ['\n\n', '\n', ' ', '']

/**
 * Splits a text like LangChain's RecursiveCharacterTextSplitter, into trimmed pieces of at most `size` with `overlap`.
 * `measure`: the length of a part (UTF-16 code units by default); lengths add up. Throws RangeError where the overlap
 * is not smaller than the size.
 */
export function recursiveSplit(
  text: string,
  { size, overlap }: { readonly size: number; readonly overlap: number },
  measure: (part: string) => number = (part) => part.length,
): readonly Span[] {
  if (overlap >= size) throw new RangeError(`an overlap of ${overlap} does not fit into ${size}`)
  const sizes = { size, overlap, lengthOf: ({ start, end }: Span) => measure(text.slice(start, end)) }
  return splitSpan(text, { start: 0, end: text.length }, separators, sizes).flatMap(({ start, end }) =>
    trimSpan(text, start, end),
  )
}

interface Sizes {
  readonly size: number
  readonly overlap: number
  readonly lengthOf: (part: Span) => number
}

function splitSpan(text: string, span: Span, choice: readonly string[], sizes: Sizes): readonly Span[] {
  const spanText = text.slice(span.start, span.end)
  const place = choice.findIndex((separator) => spanText.includes(separator))
  const rest = choice.slice(place + 1)
  const pieces: Span[] = []
  let pending: Span[] = []
  for (const part of parts(text, span, itemAt(choice, place))) {
    if (sizes.lengthOf(part) < sizes.size) {
      pending.push(part)
      continue
    }
    pieces.push(...mergeParts(pending, sizes))
    pending = []
    pieces.push(...(rest.length === 0 ? [part] : splitSpan(text, part, rest, sizes)))
  }
  return [...pieces, ...mergeParts(pending, sizes)]
}

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

function mergeParts(all: readonly Span[], { size, overlap, lengthOf }: Sizes): readonly Span[] {
  const result: Span[] = []
  const lengths = all.map(lengthOf)
  let first = 0
  let total = 0
  for (const [index, partLength] of lengths.entries()) {
    if (total + partLength > size && index > first) {
      result.push(spanOf(all.slice(first, index)))
      while (total > overlap || (total + partLength > size && total > 0)) total -= itemAt(lengths, first++)
    }
    total += partLength
  }
  return first < all.length ? [...result, spanOf(all.slice(first))] : result
}
