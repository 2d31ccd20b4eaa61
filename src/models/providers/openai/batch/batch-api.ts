import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenAI, toFile as ToFile } from 'openai'
import { z } from 'zod'
import { makeFolder } from '../../../../basics/files.ts'
import { CallError, retry, type RetryOptions } from '../../../calls/retry.ts'
import { translate } from '../complaints.ts'
import { checked } from '../replies.ts'
import type { PostPath } from '../requests.ts'

/** A batch as the server tells of it. */
export type BatchState = z.output<typeof batchForm>

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

/** What the server of a client does with batches, repeated where it fails in passing. Throws CallError, ModelError. */
export function batchApi(client: OpenAI, toFile: typeof ToFile, options: RetryOptions) {
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
    upload: (name: string, lines: string): Promise<string> =>
      call(async (signal) => {
        const file = await toFile(Buffer.from(lines), `${name}.jsonl`, { type: 'application/jsonl' })
        return (await client.files.create({ file, purpose: 'batch' }, { signal })).id
      }),
    /** Makes a batch of an uploaded file. `isUnsure`: it may be there already and is looked for first. */
    create(record: Omit<BatchRecord, 'requests'>, isUnsure: boolean): Promise<BatchState> {
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
    look: (batchId: string): Promise<BatchState> =>
      call(async (signal) => checked(batchForm, await client.batches.retrieve(batchId, { signal }))),
    download: (fileId: string): Promise<string> =>
      call(async (signal) => (await client.files.content(fileId, { signal })).text()),
  }
}

/** Why a request of an ended batch has no reply. What passes, or is too much for the moment, is retryable. */
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

/** What is known of a batch that was sent: never a key, and no text of a request. */
export interface BatchRecord {
  /** Its own name, which the server keeps with it. */
  readonly name: string
  readonly baseUrl: string
  readonly path: PostPath
  /** The file of its requests on the server. */
  readonly fileId: string
  /** Absent from when it was about to be made until it was: it may be there or not. */
  readonly batchId?: string
  /** Digests of the requests whose replies may still be asked for. */
  readonly requests: readonly string[]
}

const form = z.object({
  ...{ name: z.string(), baseUrl: z.string(), path: z.enum(['/chat/completions', '/embeddings']) },
  ...{ fileId: z.string(), batchId: z.string().exactOptional(), requests: z.array(z.string()) },
})

const keptMilliseconds = 30 * 86_400_000

/** The batches in a folder, which is made with the first, a file each. */
export function batchFiles(folder: string) {
  const fileOf = (name: string): string => join(folder, `${name}.json`)
  const remove = (name: string): void => rmSync(fileOf(name), { force: true })
  return {
    remove,
    /** The batches of an address of the last 30 days (as long as replies are kept), the earliest first. */
    read(baseUrl: string): readonly BatchRecord[] {
      const now = performance.timeOrigin + performance.now()
      const known = namesIn(folder).flatMap((name) => {
        const written = statSync(fileOf(name)).mtimeMs
        const record = now - written < keptMilliseconds ? recordIn(fileOf(name)) : undefined
        if (!record) remove(name)
        return record?.baseUrl === baseUrl ? [{ record, written }] : []
      })
      return known.sort((a, b) => a.written - b.written).map(({ record }) => record)
    },
    write(record: BatchRecord): void {
      makeFolder(folder)
      // at once: a process that ends between two steps would not find its batch again
      writeFileSync(`${fileOf(record.name)}.part`, JSON.stringify(record))
      renameSync(`${fileOf(record.name)}.part`, fileOf(record.name))
    },
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))
  } catch {
    return []
  }
}

function recordIn(file: string): BatchRecord | undefined {
  try {
    return form.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
