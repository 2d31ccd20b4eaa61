import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import { sha256 } from '../../text/hash.ts'
import { blocks } from '../../text/jsonl.ts'

/** SHA-256 of a file's bytes on disk, as 64 hex digits. */
export async function fileChecksum(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of blocks(file)) hash.update(bytes)
  return hash.digest('hex')
}

/** The checksums of files, in order; no more than 16 are open at a time. */
export const fileChecksums = (files: readonly string[]): Promise<readonly string[]> =>
  pLimit(16).map(files, fileChecksum)

/** SHA-256 of a dataset by those of its files: the only one, or that of all, one a line. Names do not count. */
export function checksumOf(digests: readonly string[]): string {
  const [only, ...rest] = digests
  return only !== undefined && rest.length === 0 ? only : sha256(digests.map((digest) => `${digest}\n`).join(''))
}

/** `checksumOf` the files of a dataset. */
export const datasetChecksum = async (files: readonly string[]): Promise<string> =>
  checksumOf(await fileChecksums(files))
