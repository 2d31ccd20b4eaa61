import { tokenStarts, type Span, type Tokenizer } from '../../text/tokens.ts'

/** A leaf, and its text: the parts of it without the delimiters between them, joined with one space. */
export interface CompatSpan extends Span {
  readonly words: string
}

/**
 * The splitter of RAPTOR's reference code (specification of RAPTOR, section 2.1). . ! ? and newlines end a sentence and are dropped;
 * sentences are packed up to `most` tokens, a part costing those of a space and itself. A sentence that costs more is divided at , ; : which
 * are dropped too, and its pieces are packed into leaves of their own. Unlike the reference, the leaf before it comes first, none is empty, and
 * a piece that alone costs more than `most` is cut between tokens.
 */
export function compatSpans(text: string, most: number, tokenizer: Tokenizer): readonly CompatSpan[] {
  const cost = ({ start, end }: Span): number => tokenizer.count(` ${text.slice(start, end)}`)
  const leaves: CompatSpan[] = []
  let pending: Span[] = []
  let spent = 0
  const flush = (): void => {
    const [first] = pending
    const last = pending.at(-1)
    if (first && last) {
      const words = pending.map(({ start, end }) => text.slice(start, end)).join(' ')
      leaves.push({ start: first.start, end: last.end, words })
    }
    pending = []
    spent = 0
  }
  const pack = (part: Span): void => {
    const own = cost(part)
    if (spent + own > most) flush()
    pending.push(part)
    spent += own
  }
  const whole = { start: 0, end: text.length }
  for (const sentence of partsOf(text, whole, /[^.!?\n]+/g)) {
    if (cost(sentence) <= most) {
      pack(sentence)
      continue
    }
    flush()
    for (const piece of partsOf(text, sentence, /[^,;:]+/g)) {
      if (cost(piece) <= most) pack(piece)
      else cutBetweenTokens(text, piece, most, tokenizer, cost).forEach(pack)
    }
    flush()
  }
  flush()
  return leaves
}

/** What the pattern finds within a span, unless it is white space. */
const partsOf = (text: string, { start, end }: Span, pattern: RegExp): readonly Span[] =>
  [...text.slice(start, end).matchAll(pattern)].flatMap(({ index, 0: part }) =>
    part.trim() === '' ? [] : [{ start: start + index, end: start + index + part.length }],
  )

/** Parts that cost no more than `most` each, and are as long as that allows; no character is cut in two. */
function cutBetweenTokens(
  text: string,
  { start, end }: Span,
  most: number,
  tokenizer: Tokenizer,
  cost: (span: Span) => number,
): readonly Span[] {
  const starts = Array.from(tokenStarts(text.slice(start, end), tokenizer), (at) => start + at)
  const tokens = starts.length - 1
  const parts: Span[] = []
  for (let from = 0; from < tokens;) {
    const upTo = (to: number): Span => ({ start: starts[from] ?? end, end: starts[to] ?? end })
    let to = Math.min(from + most, tokens)
    // the space before a part, and tokens of a character that is not cut, may cost more
    while (to > from + 1 && cost(upTo(to)) > most) to--
    const part = upTo(to)
    if (text.slice(part.start, part.end).trim() !== '') parts.push(part)
    from = to
  }
  return parts
}
