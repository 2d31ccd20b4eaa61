import { itemAt } from '../basics/collections.ts'
import { spanOf, tokenStarts, type Span, type Tokenizer } from '../text/tokens.ts'

/** Sizes in tokens. */
export interface Sizes {
  readonly size: number
  readonly overlap: number
}

/**
 * Packs a section into chunks of whole units, as many as fit into `size`, with an overlap of whole units. A level lists
 * the offsets of unit boundaries; longer units are split at the next level, finally by tokens.
 */
export function packer(text: string, levels: readonly (readonly number[])[], tokenizer: Tokenizer) {
  const starts = tokenStarts(text, tokenizer)
  return (section: Span, { size, overlap }: Sizes): readonly Span[] => {
    const chunks: Span[] = []
    let units: readonly Unit[] = []
    for (const unit of unitsOf(text, section, levels, size, starts)) {
      if (unit.to - (units[0]?.from ?? unit.from) > size) {
        chunks.push(spanOf(units))
        units = lastOf(units.slice(1), Math.min(overlap, size - (unit.to - unit.from)))
      }
      units = [...units, unit]
    }
    return [...chunks, spanOf(units)]
  }
}

/** An indivisible span; `from` and `to` are token positions in the document. */
interface Unit extends Span {
  readonly from: number
  readonly to: number
}

/** The trailing units of at most so many tokens. */
const lastOf = (units: readonly Unit[], tokens: number) =>
  tokens <= 0 ? [] : units.filter(({ from }) => (units.at(-1)?.to ?? 0) - from <= tokens)

/** The units of a section, without gaps. */
function unitsOf(
  text: string,
  section: Span,
  [level, ...finer]: readonly (readonly number[])[],
  size: number,
  starts: Uint32Array,
): readonly Unit[] {
  const unit = { ...section, from: lastUpTo(starts, section.start), to: lastUpTo(starts, section.end) }
  if (!level) return unit.to - unit.from > size ? pieces(unit, size, starts) : [unit]
  // leading and trailing white space forms no unit
  const sectionText = text.slice(section.start, section.end)
  const first = section.end - sectionText.trimStart().length
  const last = section.start + sectionText.trimEnd().length - 1
  const inside = level.slice(lastUpTo(level, first) + 1, lastUpTo(level, last) + 1)
  const bounds = [section.start, ...inside, section.end]
  return bounds.slice(1).flatMap((end, place) => {
    const span = { start: itemAt(bounds, place), end }
    const from = lastUpTo(starts, span.start)
    const to = lastUpTo(starts, span.end)
    return to - from > size ? unitsOf(text, span, finer, size, starts) : [{ ...span, from, to }]
  })
}

function lastUpTo(ascending: ArrayLike<number>, limit: number) {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? Infinity) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

function pieces(unit: Unit, size: number, starts: Uint32Array): Unit[] {
  const units: Unit[] = []
  let start = unit.start
  for (let from = unit.from; from < unit.to; from += size) {
    const to = Math.min(from + size, unit.to)
    const end = to === unit.to ? unit.end : Math.max(start, itemAt(starts, to))
    if (end > start) units.push({ start, end, from, to })
    start = end
  }
  return units
}
