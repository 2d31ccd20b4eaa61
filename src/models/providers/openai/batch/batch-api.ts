import type { OpenAI, toFile as ToFile } from 'openai'
import { z } from 'zod'
import { CallError, retry } from '../../../calls/retry.ts'
import { translate } from '../error.ts'
import { checked } from '../requests.ts'
import type { BatchRecord } from './batch-files.ts'

/** A batch as the server tells of it. */
export type BatchState = z.output<typeof batchForm>

/** What the server does with batches; each function repeats what failed for a passing reason. All throw CallError, or ModelError where it fails for good. */
export interface BatchApi {
  upload(name: string, lines: string): Promise<string>
  /** Makes a batch of an uploaded file. `isUnsure`: it may have been made before, and is looked for first, as after every failure. */
  create(record: Omit<BatchRecord, 'requests'>, isUnsure: boolean): Promise<BatchState>
  look(batchId: string): Promise<BatchState>
  download(fileId: string): Promise<string>
}

const batchForm = z.object({
  id: z.string().min(1),
  status: z.string(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  errors: z
    .object({
      data: z.array(z.object({ code: z.string().nullish(), message: z.string().nullish() })).nullish(),
    })
    .nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

/** Name of the field of a batch that holds the name which gembench gave it. */
const ownName = 'gembench'

/** The batches of the account of a client; `signal` ends everything that is under way. */
export function batchApi(
  client: OpenAI,
  toFile: typeof ToFile,
  options: { readonly retries: number; readonly timeoutSeconds: number; readonly signal: AbortSignal },
): BatchApi {
  const send = retry(options)
  const call = <T>(make: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    send(async (signal) => {
      try {
        return await make(signal)
      } catch (error) {
        throw translate(error)
      }
    })
  const find = async (name: string, signal: AbortSignal): Promise<BatchState | undefined> => {
    const { data } = checked(
      z.object({ data: z.array(z.unknown()) }),
      await client.get('/batches', { query: { limit: 100 }, signal }),
    )
    return data
      .flatMap((one) => batchForm.safeParse(one).data ?? [])
      .find(({ metadata }) => metadata?.[ownName] === name)
  }
  return {
    upload: (name, lines) =>
      call(async (signal) => {
        const file = await toFile(Buffer.from(lines), `${name}.jsonl`, { type: 'application/jsonl' })
        return (await client.files.create({ file, purpose: 'batch' }, { signal })).id
      }),
    create(record, isUnsure) {
      let unsure = isUnsure
      return call(async (signal) => {
        const there = unsure ? await find(record.name, signal) : undefined
        if (there) return there
        unsure = true
        const made = await client.batches.create(
          {
            input_file_id: record.fileId,
            endpoint: `/v1${record.path}`,
            completion_window: '24h',
            metadata: { [ownName]: record.name },
          },
          { signal },
        )
        return checked(batchForm, made)
      })
    },
    look: (batchId) => call(async (signal) => checked(batchForm, await client.batches.retrieve(batchId, { signal }))),
    download: (fileId) => call(async (signal) => (await client.files.content(fileId, { signal })).text()),
  }
}

/** Why a batch that has ended has no reply to a request: what passes, or is too much for the moment only, may be sent again. */
export function failureOfBatch({ id, status, errors }: BatchState): CallError {
  const found = errors?.data ?? []
  const said = found.map(({ code, message }) => [code, message].filter(Boolean).join(': ')).join('; ')
  const isFull = found.some(({ code }) => /limit/i.test(code ?? ''))
  const reason = said === '' ? '' : `: ${said}`
  return new CallError('server', `the batch ${id} is ${status} and has no reply to this request${reason}`, {
    retryable: isFull || status === 'completed' || status === 'expired',
    ...(isFull && { waitSeconds: 60 }),
  })
}
