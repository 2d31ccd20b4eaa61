import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, writeFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { UserError, messageOf } from '../../errors.ts'
import type { Dataset, Download } from '../../types.ts'
import { fileChecksum } from '../shared/checksum.ts'
import { exists } from '../shared/official-file.ts'
import { safeName, unpack } from './unpack.ts'

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

/** A file that `download` fetched or found, its digest, and the members unpacked from it. */
export interface Downloaded {
  readonly path: string
  readonly sha256: string
  readonly status: 'downloaded' | 'present'
  readonly members: readonly string[]
}

/** Brings the files of a dataset into a folder and unpacks them; broken downloads are resumed. Throws UserError. */
export async function download(
  dataset: Pick<Dataset, 'name' | 'source' | 'download'>,
  folder: string,
  options: DownloadOptions = {},
): Promise<readonly Downloaded[]> {
  if (!dataset.download)
    throw new UserError(`${dataset.name}: cannot be downloaded by gembench; get it from ${dataset.source}`)
  await mkdir(folder, { recursive: true })
  const results: Downloaded[] = []
  for (const file of dataset.download.files) results.push(await bring(file, folder, options))
  return results
}

async function bring(file: Download['files'][number], folder: string, options: DownloadOptions): Promise<Downloaded> {
  const path = join(folder, safeName(file.name))
  const status = (await exists(path)) ? 'present' : 'downloaded'
  const sha256 = status === 'present' ? await verifyPresent(path, file.sha256) : await fetchFile(file, path, options)
  const members = file.unpack ? await unpack(path, file.unpack.format, file.unpack.members, folder) : []
  return { path, sha256, status, members }
}

async function verifyPresent(path: string, digest: string | undefined) {
  const actual = await fileChecksum(path)
  if (digest !== undefined && actual !== digest)
    throw new UserError(
      `${path}: exists already with SHA-256 ${actual}, expected ${digest}; move it away and run the command again`,
    )
  return actual
}

const attempts = 5

async function fetchFile(
  { url, name, sha256 }: Download['files'][number],
  path: string,
  { onProgress, signal, pause = 1000 }: DownloadOptions,
) {
  const part = `${path}.part`
  const report: OnBytes = (count, total) => onProgress?.({ file: name, bytes: count, total })
  for (let attempt = 1; ; attempt++) {
    const failure = await tryOnce(url, part, report, signal)
    if (failure === undefined) break
    if (attempt === attempts)
      throw new UserError(`${url}: ${failure} (${attempts} attempts); run the command again to continue`)
    await wait(pause * 2 ** (attempt - 1), undefined, signal && { signal })
  }
  const actual = await fileChecksum(part)
  if (sha256 !== undefined && actual !== sha256) {
    await discardPart(part)
    throw new UserError(
      `${url}: removed a download with SHA-256 ${actual}, expected ${sha256}; run the command again, or get the file by hand`,
    )
  }
  await rename(part, path)
  await discardPart(part)
  return actual
}

type OnBytes = (count: number, total: number | null) => void

/** Removes a part file and what is known of it. */
async function discardPart(part: string) {
  await rm(part, { force: true })
  await rm(validatorOf(part), { force: true })
}

const validatorOf = (part: string) => `${part}.validator`

async function tryOnce(url: string, part: string, onBytes: OnBytes, signal: AbortSignal | undefined) {
  try {
    const size = (await stat(part).catch(() => undefined))?.size ?? 0
    const validator = await readFile(validatorOf(part), 'utf8').catch(() => '')
    const range = size > 0 && validator !== '' && { range: `bytes=${size}-`, 'if-range': validator }
    // a compressed body would have other offsets than the file
    const headers = { 'accept-encoding': 'identity', ...range }
    const response = await fetch(url, { headers, ...(signal && { signal }) })
    const { status, statusText, body } = response
    if (status === 408 || status === 429 || status >= 500) return `HTTP ${status}`
    const isContinued = status === 206
    const contentRange = response.headers.get('content-range') ?? ''
    const isAtSize = range && contentRange.startsWith(`bytes ${size}-`)
    if (status === 416 || (isContinued && !isAtSize)) {
      await discardPart(part)
      return 'the server cannot resume the download'
    }
    if (!response.ok || !body)
      throw new UserError(`${url}: HTTP ${status} ${statusText}; look for the file at the dataset's source`)
    if (!isContinued) await remember(response, part)
    let count = isContinued ? size : 0
    const length = Number(response.headers.get('content-length') ?? NaN)
    const total = Number.isFinite(length) ? count + length : null
    onBytes(count, total)
    const countBytes = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        count += chunk.length
        onBytes(count, total)
        yield chunk
      }
    }
    await pipeline(Readable.fromWeb(body), countBytes, createWriteStream(part, { flags: isContinued ? 'a' : 'w' }))
    return total === null || count === total ? undefined : `the connection ended at byte ${count} of ${total}`
  } catch (error) {
    if (error instanceof UserError || signal?.aborted) throw error
    return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
  }
}

async function remember(response: Response, part: string) {
  await discardPart(part)
  const tag = response.headers.get('etag')
  // a weak tag cannot vouch for bytes (RFC 9110, 13.1.5)
  const validator = tag !== null && !tag.startsWith('W/') ? tag : response.headers.get('last-modified')
  if (validator !== null) await writeFile(validatorOf(part), validator)
}
