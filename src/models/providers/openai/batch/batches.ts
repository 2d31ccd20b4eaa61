import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { OpenAI } from 'openai'
import { hashOf } from '../../../../text/hash.ts'
import type { OpenContext } from '../../../provider.ts'
import type { OpenaiOptions, BatchSettings } from '../options.ts'
import type { Post, PostPath } from '../requests.ts'
import { batchApi, batchFiles } from './batch-api.ts'
import { sentBatch, type SentBatch, type SentBatchContext, type Take } from './sent-batch.ts'

/** What a batch may hold: requests, and bytes of its file (the API's own limit is 200 MB). */
export const mostRequests = 50_000
const mostBytes = 190e6

interface Pending {
  readonly lines: Map<string, string>
  readonly takes: Map<string, Set<Take>>
  bytes: number
  timer: NodeJS.Timeout | undefined
}

/** Posts by the Batch API, collecting for `quietSeconds`; the files of batches lie beside the call cache. */
export async function openBatches(
  client: OpenAI,
  { baseUrl, retries, timeoutSeconds }: OpenaiOptions,
  { quietSeconds, pollSeconds }: BatchSettings,
  { cacheFolder, warn = () => undefined }: OpenContext,
) {
  const { APIError, toFile } = await import('openai')
  const closing = new AbortController()
  const { signal: closed } = closing
  const files = batchFiles(join(cacheFolder, 'batches'))
  const context: SentBatchContext = {
    ...{ files, pollSeconds, closed, warn },
    api: batchApi(client, toFile, { retries, timeoutSeconds, signal: closed }),
    errorOf: (status, body) => APIError.generate(status, body, `status ${status}`, new Headers()),
  }
  const batches = new Map<string, SentBatch>()
  const names = new Map<SentBatch, string>()
  const pending = new Map<PostPath, Pending>()
  let isRestored = false

  const know = (batch: SentBatch, name: string, digests: Iterable<string>): void => {
    names.set(batch, name)
    for (const digest of digests) batches.set(digest, batch)
  }
  const restore = (): void => {
    if (isRestored) return
    isRestored = true
    for (const record of files.read(baseUrl)) know(sentBatch(record, undefined, context), record.name, record.requests)
  }
  const send = (path: PostPath): void => {
    const collected = pending.get(path)
    pending.delete(path)
    clearTimeout(collected?.timer)
    if (!collected || collected.lines.size === 0 || closed.aborted) return
    const requests = [...collected.lines.keys()]
    // of the requests, and for this time alone: the same may be sent again where a batch has failed
    const name = `${hashOf(requests).slice(0, 12)}-${randomBytes(4).toString('hex')}`
    const batch = sentBatch(
      { name, baseUrl, path, fileId: '', requests },
      [...collected.lines.values()].join(''),
      context,
    )
    know(batch, name, requests)
    for (const [digest, takes] of collected.takes) for (const take of takes) moved.set(take, batch.wait(digest, take))
  }
  /** How those whose requests were sent meanwhile stop waiting. */
  const moved = new WeakMap<Take, () => void>()

  const collect = (path: PostPath, digest: string, body: object, take: Take): (() => void) => {
    const own: Pending = pending.get(path) ?? { lines: new Map(), takes: new Map(), bytes: 0, timer: undefined }
    pending.set(path, own)
    if (!own.lines.has(digest)) {
      const line = `${JSON.stringify({ custom_id: digest, method: 'POST', url: `/v1${path}`, body })}\n`
      own.lines.set(digest, line)
      own.bytes += Buffer.byteLength(line)
    }
    own.takes.set(digest, (own.takes.get(digest) ?? new Set()).add(take))
    clearTimeout(own.timer)
    if (own.lines.size >= mostRequests || own.bytes >= mostBytes) send(path)
    else own.timer = setTimeout(() => send(path), quietSeconds * 1000)
    return () => {
      const takes = own.takes.get(digest)
      takes?.delete(take)
      if (takes?.size === 0) own.lines.delete(digest)
      moved.get(take)?.()
    }
  }

  return {
    post: (path: PostPath, body: object, { signal, sample }: Parameters<Post>[2]): Promise<unknown> => {
      restore()
      const digest = hashOf({ baseUrl, path, body, sample }).slice(0, 32)
      return new Promise((resolve, reject) => {
        const take: Take = (outcome) => {
          signal.removeEventListener('abort', leave)
          if ('body' in outcome) resolve(outcome.body)
          else reject(outcome.error)
        }
        const leave = (): void => {
          quit()
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', leave, { once: true })
        const batch = batches.get(digest)
        const quit = batch?.has(digest) ? batch.wait(digest, take) : collect(path, digest, body, take)
      })
    },
    /** Sends nothing more, and forgets the batches of which all replies were taken. */
    close(): void {
      for (const { timer } of pending.values()) clearTimeout(timer)
      for (const [batch, name] of names) if (batch.isDone()) files.remove(name)
      closing.abort(new Error('the model was closed'))
    },
  }
}
