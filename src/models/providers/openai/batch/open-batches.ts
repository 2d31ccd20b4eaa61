import { join } from 'node:path'
import type { OpenAI } from 'openai'
import type { OpenContext } from '../../../provider.ts'
import type { OpenaiOptions } from '../options.ts'
import { batchApi } from './batch-api.ts'
import { batchedPost, type BatchedPost } from './batched-post.ts'
import { batchFiles } from './batch-files.ts'
import type { BatchSettings } from './batch-options.ts'

/** The Batch API behind a client. The files of the batches lie beside the call cache. */
export async function openBatches(
  client: OpenAI,
  { baseUrl, retries, timeoutSeconds }: OpenaiOptions,
  settings: BatchSettings,
  { cacheFolder, warn = () => undefined }: OpenContext,
): Promise<BatchedPost> {
  const { APIError, toFile } = await import('openai')
  const closing = new AbortController()
  const { signal: closed } = closing
  const posting = batchedPost({
    ...{ ...settings, baseUrl, closed, warn },
    api: batchApi(client, toFile, { retries, timeoutSeconds, signal: closed }),
    files: batchFiles(join(cacheFolder, 'batches')),
    errorOf: (status, body) => APIError.generate(status, body, `status ${status}`, new Headers()),
  })
  return {
    post: posting.post,
    close() {
      posting.close()
      closing.abort(new Error('the model was closed'))
    },
  }
}
