import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../../src/text/hash.ts'
import type { Mutant } from './kind.ts'
import type { Failure } from './runner.ts'

const root = fileURLToPath(new URL('corpus', import.meta.url))

/** Larger inputs are made again from kind, seed and number. */
const mostBytes = 100_000

/** What once failed. Every file begins with a line that is the mutant's `of`; its bytes follow. */
export function corpusOf(kind: string): readonly Mutant[] {
  const folder = join(root, kind)
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  return names.map((name) => read(readFileSync(join(folder, name))))
}

function read(bytes: Buffer): Mutant {
  const end = bytes.indexOf('\n')
  return { of: bytes.toString('utf8', 0, end), bytes: new Uint8Array(bytes.subarray(end + 1)) }
}

/** Writes a failing input into the corpus; gives the path of the file, or why there is none. */
export function keep(kind: string, { mutant: { of, bytes } }: Failure): string {
  if (bytes.length > mostBytes) return `nothing: it has ${bytes.length} bytes; kind, seed and number make it again`
  const content = Buffer.concat([Buffer.from(`${of}\n`), bytes])
  const file = join(root, kind, sha256(content).slice(0, 12))
  mkdirSync(join(root, kind), { recursive: true })
  writeFileSync(file, content)
  return relative(process.cwd(), file)
}
