import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** The non-empty lines of a text file with their numbers from 1; a byte order mark and CR are dropped. */
export async function* lines(file: string): AsyncGenerator<{ line: number; text: string }> {
  let line = 0
  for await (const raw of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    line++
    const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw
    if (text.trim() !== '') yield { line, text }
  }
}
