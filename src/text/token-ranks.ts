import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'

/** What each token stands for: its text, or its bytes where they are not a text. */
export type Ranks = readonly (string | readonly number[] | undefined)[]

/**
 * The tokens of a file of lines `BASE64 RANK`, as the library's modules have them; those take more memory to load. Bytes that begin with a byte
 * order mark are no text there either.
 */
export function ranksIn(file: string): Ranks {
  const lines = readFileSync(file)
  const ranks: (string | readonly number[])[] = []
  const token = Buffer.alloc(1024)
  for (let at = 0; at < lines.length; at++) {
    let length = 0
    let bits = 0
    let held = 0
    for (; lines[at] !== space; at++) {
      if (lines[at] === padding) continue
      held = ((held << 6) | (digits[lines[at] ?? 0] ?? 0)) & 0xffff
      bits += 6
      if (bits < 8) continue
      bits -= 8
      token[length++] = held >> bits
    }
    let rank = 0
    for (at++; at < lines.length && lines[at] !== newline; at++) rank = rank * 10 + (lines[at] ?? 0) - zero
    ranks[rank] = spelled(token.subarray(0, length))
  }
  return ranks
}

const spelled = (bytes: Buffer): string | readonly number[] =>
  isUtf8(bytes) && bytes.indexOf('\uFEFF') !== 0 ? bytes.toString() : [...bytes]

const space = 0x20
const newline = 0x0a
const padding = 0x3d
const zero = 0x30

/** The value of each digit of base64, by its byte. */
const digits = new Uint8Array(128)
Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').forEach((byte, value) => {
  digits[byte] = value
})
