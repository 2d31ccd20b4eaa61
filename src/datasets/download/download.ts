import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError } from '../../errors.ts'
import type { Dataset, Download } from '../../types.ts'
import { fileChecksum } from '../shared/checksum.ts'
import { discardPart, fetchPart, type FetchOptions } from './fetch-part.ts'
import { exists } from '../shared/official-file.ts'
import { safeName } from './safe-name.ts'
import { unpack } from './unpack.ts'

/** How much of a file has come; `total` is null when the server does not say. */
export interface DownloadProgress {
  readonly file: string
  readonly bytes: number
  readonly total: number | null
}

export interface DownloadOptions {
  readonly onProgress?: (progress: DownloadProgress) => void
  readonly signal?: AbortSignal
  /** Milliseconds before the first new attempt, doubled before each further one. */
  readonly pause?: number
}

/** A file that `download` brought or found, the digest of its bytes, and what was unpacked from it. */
export interface Downloaded {
  readonly path: string
  readonly sha256: string
  readonly status: 'downloaded' | 'present'
  readonly members: readonly string[]
}

/**
 * Brings the files of a dataset into a folder and unpacks them. A broken download is resumed, in this call or a later one; a file that
 * is complete is never fetched again or overwritten. Where the dataset names no digest, the first download notes its own beside the file
 * (`NAME.sha256`), and later ones are held to that. Throws UserError naming the file and what to do.
 */
export async function download(
  dataset: Pick<Dataset, 'name' | 'source' | 'download'>,
  folder: string,
  options: DownloadOptions = {},
): Promise<readonly Downloaded[]> {
  if (!dataset.download)
    throw new UserError(`${dataset.name}: cannot be downloaded by gembench; get it from ${dataset.source}`)
  await mkdir(folder, { recursive: true })
  const brought: Downloaded[] = []
  for (const file of dataset.download.files) brought.push(await bring(file, folder, options))
  return brought
}

async function bring(file: Download['files'][number], folder: string, options: DownloadOptions): Promise<Downloaded> {
  const path = join(folder, safeName(file.name))
  const status = (await exists(path)) ? 'present' : 'downloaded'
  const noted = file.sha256 ?? (await notedDigest(path))
  const known = { ...file, ...(noted !== undefined && { sha256: noted }) }
  const sha256 = status === 'present' ? await verifyPresent(path, noted) : await fetchWhole(known, path, options)
  if (noted === undefined) await writeFile(noteOf(path), `${sha256}  ${basename(path)}\n`)
  const members = file.unpack ? await unpack(path, file.unpack.format, file.unpack.members, folder) : []
  return { path, sha256, status, members }
}

/** Where the digest of a file is noted that its dataset names none for: in the form that `sha256sum -c` reads. */
const noteOf = (path: string): string => `${path}.sha256`

async function notedDigest(path: string): Promise<string | undefined> {
  const note = await readFile(noteOf(path), 'utf8').catch(() => '')
  return /^[0-9a-f]{64}(?= )/.exec(note)?.[0]
}

async function verifyPresent(path: string, expected: string | undefined): Promise<string> {
  const actual = await fileChecksum(path)
  if (expected !== undefined && actual !== expected)
    throw new UserError(
      `${path}: exists already with SHA-256 ${actual}, expected ${expected}; move it away and run the command again`,
    )
  return actual
}

async function fetchWhole(
  { url, name, sha256, bytes }: Download['files'][number],
  path: string,
  { onProgress, signal, pause = 1000 }: DownloadOptions,
): Promise<string> {
  const part = `${path}.part`
  const fetching: FetchOptions = {
    pause,
    ...(signal && { signal }),
    onBytes: (received, total) => onProgress?.({ file: name, bytes: received, total: total ?? bytes ?? null }),
  }
  await fetchPart(url, part, fetching)
  const actual = await fileChecksum(part)
  if (sha256 !== undefined && actual !== sha256) {
    await discardPart(part)
    throw new UserError(
      `${url}: the downloaded file has SHA-256 ${actual}, expected ${sha256}, and was removed; run the command again, or get the file by hand if the source has changed`,
    )
  }
  await rename(part, path)
  await discardPart(part)
  return actual
}
