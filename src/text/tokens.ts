import { createRequire } from 'node:module'
import { remembered } from '../basics/remembered.ts'
import { ranksIn, type Ranks } from './token-ranks.ts'

export const tokenizerNames = ['o200k_base', 'cl100k_base'] as const
export type TokenizerName = (typeof tokenizerNames)[number]

/** Byte-pair encoding as OpenAI's models use it. */
export interface Tokenizer {
  readonly name: TokenizerName
  encode(text: string): number[]
  /** The text of tokens; of a character whose bytes are not all there, U+FFFD is left. Throws RangeError on an unknown token. */
  decode(tokens: readonly number[]): string
  count(text: string): number
  /** How many UTF-8 bytes a token stands for; a lone surrogate counts three. Throws RangeError on an unknown token. */
  bytes(token: number): number
}

interface Encoding {
  encode(text: string, options?: { disallowedSpecial: Set<string> }): number[]
}

interface Library {
  readonly GptEncoding: { getEncodingApi(name: TokenizerName, ranks: () => Ranks): Encoding }
}

const open = new Map<TokenizerName, Tokenizer>()
const load = createRequire(import.meta.url)

/** The tokenizer of that name, loaded on first use. Marks such as `<|endoftext|>` in a text are counted as plain text. */
export function tokenizer(name: TokenizerName): Tokenizer {
  const known = open.get(name)
  if (known) return known
  const { GptEncoding } = load('gpt-tokenizer/GptEncoding') as Library
  const ranks = ranksIn(load.resolve(`gpt-tokenizer/data/${name}.tiktoken`))
  const encoding = GptEncoding.getEncodingApi(name, () => ranks)
  const plain = { disallowedSpecial: new Set<string>() }
  const encode = (text: string): number[] =>
    text.length >= 400 && suspect.test(text)
      ? inPieces(text).flatMap((piece) => encoding.encode(piece, plain))
      : encoding.encode(text, plain)
  const countOf = (line: string): number => encode(line).length
  const countKnown = remembered(linesKept, countOf)
  const countLine = (line: string): number => (line.length > longestLineKept ? countOf : countKnown)(line)
  const made: Tokenizer = {
    name,
    encode,
    // the library's own decoder keeps the bytes of an unfinished character for the next call
    decode: (tokens) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(tokens.map((token) => bytesOf(ranks, token)))),
    count: (text) => linesOf(text).reduce((sum, line) => sum + countLine(line), 0),
    bytes: (token) => bytesOf(ranks, token).length,
  }
  open.set(name, made)
  return made
}

/** Contexts and instructions come again and again, so the counts of their lines are kept: of so many lines, none longer than that. */
const linesKept = 4096
const longestLineKept = 4096

/**
 * A text cut after line breaks that neither white space nor a slash follows, or one space only. No token of either encoding holds the
 * break and what follows, and what comes before is split alike whatever comes after, so that the counts of the pieces add up to that
 * of the text.
 */
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

/**
 * Runs of letters, signs or white space, which an encoding merges as a whole. The library's time is quadratic in their length,
 * so they are cut every 400 characters: no word is as long, and a run of signs changes by a token per cut at most.
 */
const longRun = /([\p{L}\p{M}]{400}|[^\s\p{L}\p{N}]{400}|\s{400})/u

const inPieces = (text: string): string[] => text.split(longRun)
