import { lstat } from 'node:fs/promises'
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rewriteLines } from './journal.ts'

/** Makes a line unreadable, and readable again. */
export interface Seal {
  readonly close: (line: string) => string
  readonly open: (line: string) => string
}

/** Seals lines with a key made of the dataset's files, so that a program that is asked finds no reference there. */
export async function sealOf(files: readonly string[]): Promise<Seal> {
  const hash = createHash('sha256').update('gembench')
  for (const file of files) for await (const block of createReadStream(file)) hash.update(block as Buffer)
  const key = hash.digest()
  return {
    close(line) {
      const start = randomBytes(16)
      const cipher = createCipheriv('aes-256-ctr', key, start)
      return JSON.stringify(Buffer.concat([start, cipher.update(line, 'utf8'), cipher.final()]).toString('base64'))
    },
    open(line) {
      const bytes = Buffer.from(JSON.parse(line) as string, 'base64')
      const cipher = createDecipheriv('aes-256-ctr', key, bytes.subarray(0, 16))
      return Buffer.concat([cipher.update(bytes.subarray(16)), cipher.final()]).toString('utf8')
    },
  }
}

/** Whether a line is sealed: a JSON text, where every other line is an object. */
const isSealed = (line: string): boolean => line.startsWith('"')

/** Seals every line of a file that is not. */
export const sealFile = (file: string, seal: Seal): Promise<void> =>
  rewriteLines(file, (line) => (isSealed(line) ? line : seal.close(line)))

/** Opens every line of a file that is sealed; a file without one is left alone, and no key is made. */
export async function openFile(file: string, seal: () => Promise<Seal>): Promise<void> {
  // a device or a pipe may have no end
  const there = await lstat(file).catch(() => undefined)
  if (there?.isFile()) await rewriteLines(file, async (line) => (isSealed(line) ? (await seal()).open(line) : line))
}
