import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = mkdtempSync(join(tmpdir(), 'gembench-copies-'))

/** Writes files into a folder of their own and gives the path of the first. */
export function writeFiles(name: string, files: Readonly<Record<string, string | Uint8Array | object>>): string {
  for (const [file, content] of Object.entries(files)) {
    const path = join(root, name, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
    )
  }
  return join(root, name, Object.keys(files)[0] ?? '')
}

/** A line of JSON for each value. */
export const jsonl = (values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n')
