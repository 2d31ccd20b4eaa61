import type { Tokenizer } from './tokens.ts'

/** A part of a text: UTF-16 offsets, the end excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Windows of `size` tokens that start at 0, size − overlap, …; the first that reaches the end is the last. A boundary inside a character is
 * moved to the next character's start, so a window may gain up to three tokens at its end; one that brings no new character is dropped.
 */
export function byTokens(
  text: string,
  { size, overlap }: { readonly size: number; readonly overlap: number },
  tokenizer: Tokenizer,
): Span[] {
  const starts = tokenStarts(text, tokenizer)
  const tokens = starts.length - 1
  const windows: Span[] = []
  for (let from = 0; ; from += size - overlap) {
    const to = Math.min(from + size, tokens)
    const window = { start: starts[from] ?? 0, end: starts[to] ?? text.length }
    if (window.end > (windows.at(-1)?.end ?? 0)) windows.push(window)
    if (to === tokens) return windows
  }
}

/** The UTF-16 offset at which each token starts, or the next character where that is inside one; the last entry is the text's length. */
export function tokenStarts(text: string, tokenizer: Tokenizer): Uint32Array {
  const tokens = tokenizer.encode(text)
  const starts = new Uint32Array(tokens.length + 1)
  let bytes = 0 // of the tokens so far
  let reached = 0 // bytes of the characters up to `at`
  let at = 0
  for (const [index, token] of tokens.entries()) {
    bytes += tokenizer.bytes(token)
    while (reached < bytes) {
      const point = text.codePointAt(at) ?? 0
      reached += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
      at += point < 0x10000 ? 1 : 2
    }
    starts[index + 1] = at
  }
  return starts
}
