import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UserError } from '../errors.ts'

/** Whether a file is packed by gzip, by its name. */
export const isPacked = (file: string): boolean => file.endsWith('.gz')

/** The non-empty lines of a text file with their numbers from 1; gzip (.gz) is unpacked, a byte order mark and CR are dropped. Throws UserError for a damaged .gz. */
export async function* lines(file: string): AsyncGenerator<{ line: number; text: string }> {
  let line = 0
  const source = createReadStream(file, isPacked(file) ? undefined : 'utf8')
  // a failure of either end surfaces where the last stream is read
  const input = isPacked(file) ? pipeline(source, createGunzip(), () => undefined) : source
  try {
    for await (const raw of createInterface({ input, crlfDelay: Infinity })) {
      line++
      const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw
      if (text.trim() !== '') yield { line, text }
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_') ? new UserError(`${file}: is no whole gzip file (${message})`, { cause: error }) : error
  }
}
