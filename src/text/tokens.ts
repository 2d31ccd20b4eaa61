import { createRequire } from 'node:module'

export const tokenizerNames = ['o200k_base', 'cl100k_base'] as const
export type TokenizerName = (typeof tokenizerNames)[number]

/** Byte-pair encoding as OpenAI's models use it. */
export interface Tokenizer {
  readonly name: TokenizerName
  encode(text: string): number[]
  decode(tokens: readonly number[]): string
  count(text: string): number
}

interface Encoding {
  encode(text: string, options?: { disallowedSpecial: Set<string> }): number[]
  decode(tokens: Iterable<number>): string
}

const open = new Map<TokenizerName, Tokenizer>()
const load = createRequire(import.meta.url)

/** The tokenizer of that name, loaded on first use. Marks such as `<|endoftext|>` in a text are counted as plain text. */
export function tokenizer(name: TokenizerName): Tokenizer {
  const known = open.get(name)
  if (known) return known
  const encoding = load(`gpt-tokenizer/encoding/${name}`) as Encoding
  const plain = { disallowedSpecial: new Set<string>() }
  const made: Tokenizer = {
    name,
    encode: (text) => encoding.encode(text, plain),
    decode: (tokens) => encoding.decode(tokens),
    count: (text) => encoding.encode(text, plain).length,
  }
  open.set(name, made)
  return made
}
