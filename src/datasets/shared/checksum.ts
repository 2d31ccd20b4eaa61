import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { sha256 } from '../../text/hash.ts'

/** SHA-256 of a file's bytes as they lie on disk, as 64 hex digits. */
export async function fileChecksum(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file)) hash.update(bytes as Uint8Array)
  return hash.digest('hex')
}

/** SHA-256 of a dataset: that of its file, or of its files' digests in order, one a line. Names and folders do not count. */
export async function datasetChecksum(files: readonly string[]): Promise<string> {
  const digests: string[] = []
  for (const file of files) digests.push(await fileChecksum(file))
  const [only, ...others] = digests
  return only !== undefined && others.length === 0 ? only : sha256(digests.map((digest) => `${digest}\n`).join(''))
}
