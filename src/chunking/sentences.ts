import { sentences } from '../text/sentences.ts'
import type { Tokenizer } from '../text/tokens.ts'
import { tokenStarts, type Span } from '../text/token-windows.ts'

/**
 * Whole sentences, as many as fit into `size`; the white space before a sentence is part of it, as an encoding takes it. Only a sentence longer than `size` is cut,
 * by tokens. The overlap is made of the last whole sentences that fit into it and leave room for the next one.
 */
export function bySentences(
  text: string,
  { size, overlap }: { readonly size: number; readonly overlap: number },
  tokenizer: Tokenizer,
): Span[] {
  const chunks: Span[] = []
  let held: readonly Unit[] = []
  for (const unit of unitsOf(text, size, tokenizer)) {
    if (unit.to - (held[0]?.from ?? unit.from) > size) {
      chunks.push(spanOf(held))
      held = lastOf(held.slice(1), Math.min(overlap, size - (unit.to - unit.from)))
    }
    held = [...held, unit]
  }
  return [...chunks, spanOf(held)]
}

/** A stretch that stays whole: `from` and `to` count the tokens of the document before its start and its end. */
interface Unit extends Span {
  readonly from: number
  readonly to: number
}

const spanOf = (units: readonly Unit[]): Span => ({ start: units[0]?.start ?? 0, end: units.at(-1)?.end ?? 0 })

/** The units at the end that have no more than so many tokens together; none for no tokens, though a unit inside a token has none. */
const lastOf = (units: readonly Unit[], tokens: number): readonly Unit[] =>
  tokens <= 0 ? [] : units.filter(({ from }) => (units.at(-1)?.to ?? 0) - from <= tokens)

/** The sentences of the text, without a gap between them, those longer than `size` in pieces. */
function unitsOf(text: string, size: number, tokenizer: Tokenizer): Unit[] {
  const starts = tokenStarts(text, tokenizer)
  let counted = 0
  const tokensBefore = (offset: number): number => {
    while ((starts[counted + 1] ?? Infinity) <= offset) counted++
    return counted
  }
  const ends = sentences(text)
    .slice(0, -1)
    .map((sentence) => sentence.end)
  let start = 0
  let from = 0
  return [...ends, text.length].flatMap((end) => {
    const unit = { start, end, from, to: tokensBefore(end) }
    start = unit.end
    from = unit.to
    return unit.to - unit.from > size ? pieces(unit, size, starts) : unit
  })
}

function pieces(unit: Unit, size: number, starts: Uint32Array): Unit[] {
  const found: Unit[] = []
  let start = unit.start
  for (let from = unit.from; from < unit.to; from += size) {
    const to = Math.min(from + size, unit.to)
    const end = to === unit.to ? unit.end : Math.max(start, starts[to] ?? unit.end)
    if (end > start) found.push({ start, end, from, to })
    start = end
  }
  return found
}
