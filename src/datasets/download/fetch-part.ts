import { createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { messageOf, UserError } from '../../errors.ts'

export interface FetchOptions {
  readonly onBytes: (received: number, total: number | null) => void
  readonly signal?: AbortSignal
  /** Milliseconds before the second attempt, doubled before each further one. */
  readonly pause: number
}

const attempts = 5

/**
 * Fetches a URL into a part file. What is there already is continued if the server can vouch that the file is still the same, else fetched
 * anew. A lost connection or a busy server is tried again, five times in all. Throws UserError; the part stays for a later call.
 */
export async function fetchPart(url: string, part: string, options: FetchOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const failure = await tryOnce(url, part, options)
    if (failure === undefined) return
    if (attempt === attempts)
      throw new UserError(
        `${url}: ${failure} (${attempts} attempts); the part that was downloaded is kept, run the command again to continue`,
      )
    await wait(options.pause * 2 ** (attempt - 1), undefined, options.signal && { signal: options.signal })
  }
}

/** Removes a part file and what is known of it. */
export async function discardPart(part: string): Promise<void> {
  await rm(part, { force: true })
  await rm(validatorOf(part), { force: true })
}

/** The ETag or date by which the server knows the file that the part is of. */
const validatorOf = (part: string): string => `${part}.validator`

/** One attempt; gives what may pass by itself, throws what will not. */
async function tryOnce(url: string, part: string, { onBytes, signal }: FetchOptions): Promise<string | undefined> {
  try {
    const had = await resumable(part)
    const response = await fetch(url, {
      // a compressed body would have other offsets than the file
      headers: {
        'accept-encoding': 'identity',
        ...(had && { range: `bytes=${had.bytes}-`, 'if-range': had.validator }),
      },
      ...(signal && { signal }),
    })
    const { status, statusText, body } = response
    if (status === 408 || status === 429 || status >= 500) return `HTTP ${status}`
    if (status === 416 || (status === 206 && !resumesAt(response, had?.bytes))) {
      await discardPart(part)
      return 'the server cannot resume the download'
    }
    if (!response.ok || !body)
      throw new UserError(`${url}: HTTP ${status} ${statusText}; look for the file at the dataset's source`)
    const from = status === 206 ? (had?.bytes ?? 0) : 0
    if (from === 0) await remember(response, part)
    const length = Number(response.headers.get('content-length') ?? NaN)
    return await receive(body, part, from, Number.isFinite(length) ? from + length : null, onBytes)
  } catch (error) {
    if (error instanceof UserError || signal?.aborted) throw error
    return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
  }
}

const resumesAt = (response: Response, bytes: number | undefined): boolean =>
  bytes !== undefined && (response.headers.get('content-range') ?? '').startsWith(`bytes ${bytes}-`)

async function receive(
  body: NonNullable<Response['body']>,
  part: string,
  from: number,
  total: number | null,
  onBytes: FetchOptions['onBytes'],
): Promise<string | undefined> {
  let received = from
  onBytes(received, total)
  await pipeline(
    Readable.fromWeb(body),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        received += chunk.length
        onBytes(received, total)
        yield chunk
      }
    },
    createWriteStream(part, { flags: from === 0 ? 'w' : 'a' }),
  )
  return total === null || received === total ? undefined : `the connection ended at byte ${received} of ${total}`
}

async function resumable(part: string): Promise<{ bytes: number; validator: string } | undefined> {
  const bytes = await stat(part).then(
    ({ size }) => size,
    () => 0,
  )
  const validator = await readFile(validatorOf(part), 'utf8').catch(() => '')
  return bytes > 0 && validator !== '' ? { bytes, validator } : undefined
}

async function remember(response: Response, part: string): Promise<void> {
  await discardPart(part)
  const tag = response.headers.get('etag')
  // a weak tag cannot vouch for bytes (RFC 9110, 13.1.5)
  const validator = tag !== null && !tag.startsWith('W/') ? tag : response.headers.get('last-modified')
  if (validator !== null) await writeFile(validatorOf(part), validator)
}
