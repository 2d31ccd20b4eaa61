import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = mkdtempSync(join(tmpdir(), 'gembench-copies-'))

type Files = Readonly<Record<string, string | Uint8Array | object>>

/** Writes files into a folder of their own and gives the path of the first. */
export function writeFiles(name: string, files: Files): string {
  const folder = writeInto(join(root, name), files)
  return join(folder, Object.keys(files)[0] ?? '')
}

/** A new folder with these files; objects are written as JSON. */
export const folderOf = (files: Files): string => writeInto(mkdtempSync(join(root, 'in-')), files)

/** A new file with this content. */
export const fileOf = (content: string | Uint8Array | object, name = 'file.jsonl'): string =>
  join(folderOf({ [name]: content }), name)

function writeInto(folder: string, files: Files): string {
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    const isRaw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path, isRaw ? content : JSON.stringify(content))
  }
  return folder
}

/** A line of JSON for each value. */
export const jsonl = (values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n')
