import { rename, writeFile } from 'node:fs/promises'
import { scrub } from '../../basics/secrets.ts'

/** Writes a file whole or not at all, and without keys. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const part = `${file}.part`
  await writeFile(part, scrub(text))
  await rename(part, file)
}
