import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { itemAt } from '../basics/collections.ts'
import { once, remembered } from '../basics/memoise.ts'

export const tokenizerNames = ['o200k_base', 'cl100k_base'] as const
export type TokenizerName = (typeof tokenizerNames)[number]

/** Byte-pair encoding as OpenAI's models use it. */
export interface Tokenizer {
  readonly name: TokenizerName
  encode(text: string): number[]
  /** The text of tokens; of a character that is not whole, U+FFFD is left. Throws RangeError on an unknown token. */
  decode(tokens: readonly number[]): string
  count(text: string): number
  /** How many UTF-8 bytes a token stands for; a lone surrogate counts three. Throws RangeError on an unknown token. */
  bytes(token: number): number
}

const open = new Map<TokenizerName, Tokenizer>()
const load = createRequire(import.meta.url)

/** The tokenizer of that name, loaded on first use. Marks such as `<|endoftext|>` are counted as plain text. */
export function tokenizer(name: TokenizerName): Tokenizer {
  const known = open.get(name)
  if (known) return known
  const ranks = once(() => ranksIn(load.resolve(`gpt-tokenizer/data/${name}.tiktoken`)))
  const encoding = once(() => {
    const { GptEncoding } = load('gpt-tokenizer/GptEncoding') as Library
    const made = GptEncoding.getEncodingApi(name, ranks)
    // the library looks for its oldest word through all those that it has removed
    made.setMergeCacheSize(Infinity)
    return made
  })
  const plain = { disallowedSpecial: new Set<string>() }
  let sinceCleared = 0
  const encodePiece = (text: string): number[] => {
    sinceCleared += text.length
    if (sinceCleared > charactersRemembered) {
      encoding().clearMergeCache()
      sinceCleared = text.length
    }
    return encoding().encode(text, plain)
  }
  const encode = (text: string): number[] =>
    text.length >= 400 && suspect.test(text) ? text.split(longRun).flatMap(encodePiece) : encodePiece(text)
  const countOf = (line: string): number => encode(line).length
  const countKnown = remembered(linesKept, countOf)
  const countLine = (line: string): number => (line.length > longestLineKept ? countOf : countKnown)(line)
  const made: Tokenizer = {
    name,
    encode,
    // the library's own decoder keeps the bytes of an unfinished character for the next call
    decode: (tokens) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        Buffer.concat(tokens.map((token) => bytesOf(ranks(), token))),
      ),
    count: (text) => linesOf(text).reduce((sum, line) => sum + countLine(line), 0),
    bytes: (token) => bytesOf(ranks(), token).length,
  }
  open.set(name, made)
  return made
}

/** A part of a text: UTF-16 offsets, the end excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Windows of `size` tokens that start at 0, size − overlap, …, to the end. A boundary inside a character moves to the
 * next one's start, so a window may gain up to three tokens; one that brings no new character is dropped.
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

/** The UTF-16 offset at which each token starts, or the next whole character; the last is the text's length. */
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

interface Encoding {
  encode(text: string, options?: { disallowedSpecial: Set<string> }): number[]
  setMergeCacheSize(words: number): void
  clearMergeCache(): void
}

interface Library {
  readonly GptEncoding: { getEncodingApi(name: TokenizerName, ranks: () => Ranks): Encoding }
}

/** Characters of texts whose words the library remembers: of each that is no token, the tokens that it is cut into. */
const charactersRemembered = 8e6

/** Counts of lines are kept, since contexts and instructions come again: so many, none longer than that. */
const linesKept = 4096
const longestLineKept = 4096

/** A text cut after line breaks that no token holds with what follows: counts of pieces add up to that of the text. */
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
  const spelled = ranks[token]
  if (spelled === undefined) throw new RangeError(`there is no token ${token}`)
  return typeof spelled === 'string' ? Buffer.from(spelled) : Uint8Array.from(spelled)
}

/** Says quickly of most texts that they hold no long run. */
const suspect = /\S{400}|\s{400}/

/** Runs that an encoding merges as a whole are cut every 400 characters: the library's time is quadratic in length. */
const longRun = /([\p{L}\p{M}]{400}|[^\s\p{L}\p{N}]{400}|\s{400})/u

/** What each token stands for: its text, or its bytes where they are not a text. */
export type Ranks = readonly (string | readonly number[] | undefined)[]

/** The tokens of a file of lines `BASE64 RANK`, as the library's modules have them; those take more memory to load. */
export function ranksIn(file: string): Ranks {
  const lines = readFileSync(file)
  const ranks: (string | readonly number[])[] = []
  const token = Buffer.alloc(1024)
  for (let at = 0; at < lines.length; at++) {
    let length = 0
    let bits = 0
    let held = 0
    let isAscii = true
    for (; lines[at] !== space; at++) {
      if (lines[at] === padding) continue
      held = ((held << 6) | (digits[lines[at] ?? 0] ?? 0)) & 0xffff
      bits += 6
      if (bits < 8) continue
      bits -= 8
      const byte = (held >> bits) & 0xff
      if (byte >= 0x80) isAscii = false
      token[length++] = byte
    }
    let rank = 0
    for (at++; at < lines.length && lines[at] !== newline; at++) rank = rank * 10 + (lines[at] ?? 0) - zero
    ranks[rank] = isAscii ? token.toString('latin1', 0, length) : spelled(token.subarray(0, length))
  }
  return ranks
}

const spelled = (bytes: Buffer): string | readonly number[] =>
  isUtf8(bytes) && !(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) ? bytes.toString() : [...bytes]

const [space, newline, padding, zero] = [0x20, 0x0a, 0x3d, 0x30]

const digits = new Uint8Array(128)
Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').forEach((byte, value) => {
  digits[byte] = value
})
