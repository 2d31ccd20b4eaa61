import { rename, writeFile } from 'node:fs/promises'

/** Writes a file whole or not at all. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const part = `${file}.part`
  await writeFile(part, text)
  await rename(part, file)
}
