import { itemAt } from '../basics/collections.ts'
import { tokenStarts, type Span, type Tokenizer } from '../text/tokens.ts'

/** Sizes in tokens. */
export interface Sizes {
  readonly size: number
  readonly overlap: number
}

/**
 * A part of a text in chunks of whole stretches, as many as fit into `size`. A level: the offsets at which the text may
 * be cut; a stretch that is too long is cut at the next level, in the end by tokens. The overlap is of whole stretches.
 */
export function packer(text: string, levels: readonly (readonly number[])[], tokenizer: Tokenizer) {
  const starts = tokenStarts(text, tokenizer)
  return (whole: Span, { size, overlap }: Sizes): readonly Span[] => {
    const chunks: Span[] = []
    let held: readonly Unit[] = []
    for (const unit of unitsOf(text, whole, levels, size, starts)) {
      if (unit.to - (held[0]?.from ?? unit.from) > size) {
        chunks.push(spanOf(held))
        held = lastOf(held.slice(1), Math.min(overlap, size - (unit.to - unit.from)))
      }
      held = [...held, unit]
    }
    return [...chunks, spanOf(held)]
  }
}

/** A stretch that stays whole: `from` and `to` count the tokens of the document before its start and its end. */
interface Unit extends Span {
  readonly from: number
  readonly to: number
}

/** From the first unit to the last. Throws Error for no units: a chunk holds one at least. */
function spanOf(units: readonly Unit[]): Span {
  const [first, last] = [units[0], units.at(-1)]
  if (!first || !last) throw new Error('a chunk without a stretch')
  return { start: first.start, end: last.end }
}

/** The units at the end that have no more than so many tokens together; none for no tokens. */
const lastOf = (units: readonly Unit[], tokens: number): readonly Unit[] =>
  tokens <= 0 ? [] : units.filter(({ from }) => (units.at(-1)?.to ?? 0) - from <= tokens)

/** The stretches of a part, without a gap between them. */
function unitsOf(
  text: string,
  whole: Span,
  [level, ...finer]: readonly (readonly number[])[],
  size: number,
  starts: Uint32Array,
): readonly Unit[] {
  const unit = { ...whole, from: lastUpTo(starts, whole.start), to: lastUpTo(starts, whole.end) }
  if (!level) return unit.to - unit.from > size ? pieces(unit, size, starts) : [unit]
  // white space at either end is no stretch of its own
  const own = text.slice(whole.start, whole.end)
  const [first, last] = [whole.end - own.trimStart().length, whole.start + own.trimEnd().length - 1]
  const inside = level.slice(lastUpTo(level, first) + 1, lastUpTo(level, last) + 1)
  const bounds = [whole.start, ...inside, whole.end]
  return bounds.slice(1).flatMap((end, place) => {
    const span = { start: itemAt(bounds, place), end }
    const [from, to] = [lastUpTo(starts, span.start), lastUpTo(starts, span.end)]
    return to - from > size ? unitsOf(text, span, finer, size, starts) : [{ ...span, from, to }]
  })
}

/** The place of the last number that is not above `limit`, in a list in order; -1 where all are. */
function lastUpTo(sorted: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

function pieces(unit: Unit, size: number, starts: Uint32Array): Unit[] {
  const found: Unit[] = []
  let start = unit.start
  for (let from = unit.from; from < unit.to; from += size) {
    const to = Math.min(from + size, unit.to)
    const end = to === unit.to ? unit.end : Math.max(start, itemAt(starts, to))
    if (end > start) found.push({ start, end, from, to })
    start = end
  }
  return found
}
