import { rename, writeFile } from 'node:fs/promises'
import { scrub } from '../../basics/secrets.ts'

/** Writes a file whole or not at all, a text without keys. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const part = `${file}.part`
  await writeFile(part, typeof content === 'string' ? scrub(content) : content)
  await rename(part, file)
}
