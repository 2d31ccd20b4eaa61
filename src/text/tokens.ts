import { createRequire } from 'node:module'
import { itemAt } from '../basics/collections.ts'
import { once, memoiseRecent } from '../basics/memoise.ts'

export const tokenizerNames = ['o200k_base', 'cl100k_base'] as const
export type TokenizerName = (typeof tokenizerNames)[number]

/** Byte-pair encoding as OpenAI's models use it. */
export interface Tokenizer {
  readonly name: TokenizerName
  encode(text: string): number[]
  /** The text of tokens; an incomplete character becomes U+FFFD. Throws RangeError on an unknown token. */
  decode(tokens: readonly number[]): string
  count(text: string): number
  /** UTF-8 bytes of a token; a lone surrogate counts three. Throws RangeError on an unknown token. */
  bytes(token: number): number
}

const tokenizers = new Map<TokenizerName, Tokenizer>()
const load = createRequire(import.meta.url)

/** The tokenizer of that name, loaded on first use. Counts marks such as `<|endoftext|>` as plain text. */
export function tokenizer(name: TokenizerName): Tokenizer {
  const existing = tokenizers.get(name)
  if (existing) return existing
  const ranks = once(() => (load(`gpt-tokenizer/bpeRanks/${name}`) as { readonly default: Ranks }).default)
  const encoding = once(() => {
    const { GptEncoding } = load('gpt-tokenizer/GptEncoding') as Library
    const api = GptEncoding.getEncodingApi(name, ranks)
    // unbounded: the library's eviction scans all removed words
    api.setMergeCacheSize(Infinity)
    return api
  })
  const plain = { disallowedSpecial: new Set<string>() }
  let cachedCharacters = 0
  const encodePiece = (text: string): number[] => {
    cachedCharacters += text.length
    if (cachedCharacters > mergeCacheLimit) {
      encoding().clearMergeCache()
      cachedCharacters = text.length
    }
    return encoding().encode(text, plain)
  }
  const encode = (text: string) =>
    text.length >= 400 && suspect.test(text) ? text.split(longRun).flatMap(encodePiece) : encodePiece(text)
  const countOf = (line: string) => encode(line).length
  const countCached = memoiseRecent(lineCacheSize, countOf)
  const countLine = (line: string) => (line.length > longestCachedLine ? countOf : countCached)(line)
  const result: Tokenizer = {
    name,
    encode,
    // the library's decoder carries an incomplete character over to the next call
    decode: (tokens) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        Buffer.concat(tokens.map((token) => bytesOf(ranks(), token))),
      ),
    count: (text) => linesOf(text).reduce((sum, line) => sum + countLine(line), 0),
    bytes: (token) => bytesOf(ranks(), token).length,
  }
  tokenizers.set(name, result)
  return result
}

/** UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** From the first span to the last of adjacent ones. */
export const spanOf = (spans: readonly Span[]): Span => ({ start: itemAt(spans, 0).start, end: itemAt(spans, -1).end })

/**
 * Windows of `size` tokens that start at 0, size − overlap, …, to the end. Boundaries inside a character move to the
 * next one, so a window may gain up to three tokens; windows without a new character are dropped.
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
    const window = { start: itemAt(starts, from), end: itemAt(starts, to) }
    if (window.end > (windows.at(-1)?.end ?? 0)) windows.push(window)
    if (to === tokens) return windows
  }
}

/** The UTF-16 offset of each token, or of the next complete character; the last is the text's length. */
export function tokenStarts(text: string, tokenizer: Tokenizer): Uint32Array {
  const tokens = tokenizer.encode(text)
  const starts = new Uint32Array(tokens.length + 1)
  let bytes = 0 // of the tokens so far
  let characterBytes = 0 // up to `at`
  let at = 0
  for (const [index, token] of tokens.entries()) {
    bytes += tokenizer.bytes(token)
    while (characterBytes < bytes) {
      const point = text.codePointAt(at) ?? 0
      characterBytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
      at += point < 0x10000 ? 1 : 2
    }
    starts[index + 1] = at
  }
  return starts
}

interface Encoding {
  encode(text: string, options?: { disallowedSpecial: Set<string> }): number[]
  setMergeCacheSize(words: number): void
  clearMergeCache(): void
}

interface Library {
  readonly GptEncoding: { getEncodingApi(name: TokenizerName, ranks: () => Ranks): Encoding }
}

const mergeCacheLimit = 8e6

/** A cache of line counts, since contexts and instructions repeat. */
const lineCacheSize = 4096
const longestCachedLine = 4096

/** Splits after line breaks that no token crosses: counts of the pieces add up. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = []
  let start = 0
  for (let end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', end) + 1) {
    newLine.lastIndex = end
    if (!newLine.test(text)) continue
    lines.push(text.slice(start, end))
    start = end
  }
  return [...lines, text.slice(start)]
}

const newLine = /[^\s/]|(?<=\S\n\n?) \S/uy

function bytesOf(ranks: Ranks, token: number): Uint8Array {
  const bytes = ranks[token]
  if (bytes === undefined) throw new RangeError(`there is no token ${token}`)
  return typeof bytes === 'string' ? Buffer.from(bytes) : Uint8Array.from(bytes)
}

/** A fast negative test for long runs. */
const suspect = /\S{400}|\s{400}/

/** Splits long runs every 400 characters: the library is quadratic in their length. */
const longRun = /([\p{L}\p{M}]{400}|[^\s\p{L}\p{N}]{400}|\s{400})/u

/** Each token's text, or its bytes where they are not valid UTF-8. */
type Ranks = readonly (string | readonly number[] | undefined)[]
