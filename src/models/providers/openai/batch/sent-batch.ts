import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { ModelError } from '../../../../errors.ts'
import { jsonIn } from '../../../../text/json.ts'
import { CallError } from '../../../calls/retry.ts'
import { type batchApi, type batchFiles, type BatchRecord, type BatchState, failureOfBatch } from './batch-api.ts'

/** Takes what came of one request. */
export type Take = (outcome: LineOutcome) => void

/** What a batch is sent and followed with. */
export interface SentBatchContext {
  readonly api: ReturnType<typeof batchApi>
  readonly files: ReturnType<typeof batchFiles>
  readonly pollSeconds: number
  readonly errorOf: StatusError
  /** Told, in a line, of a batch that was sent or found again. */
  readonly warn: (line: string) => void
  readonly closed: AbortSignal
}

export type SentBatch = ReturnType<typeof sentBatch>

/** A batch on its way, of these `lines`, or without them one that an earlier process has sent. */
export function sentBatch(begun: BatchRecord, lines: string | undefined, context: SentBatchContext) {
  const { api, files, closed, warn } = context
  let record = begun
  let outcomes: ReadonlyMap<string, LineOutcome> | undefined
  let isFollowed = false
  const left = new Set(record.requests)
  const waiting = new Map<string, Set<Take>>()

  const keep = (more: Partial<BatchRecord>): void => {
    record = { ...record, ...more }
    files.write(record)
  }
  const tell = (digest: string, outcome: LineOutcome): void => {
    const takes = waiting.get(digest) ?? []
    waiting.delete(digest)
    for (const take of takes) take(outcome)
  }
  /** The id of the batch, which is sent where it was not. */
  const send = async (): Promise<string> => {
    if (record.batchId !== undefined) return record.batchId
    const isNew = record.fileId === ''
    if (isNew && lines === undefined) throw new Error(`the requests of the batch ${record.name} are not known`)
    if (lines !== undefined && isNew) keep({ fileId: await api.upload(record.name, lines) })
    const { id } = await api.create(record, !isNew)
    keep({ batchId: id })
    warn(`openai: batch ${id} of ${left.size} requests is out, up to 24 hours; a run that is stopped finds it again`)
    return id
  }
  /** The batch when it has ended; undefined where nobody waits for it any more. */
  const followed = async (): Promise<BatchState | undefined> => {
    if (lines === undefined && record.batchId !== undefined)
      warn(`openai: batch ${record.batchId} of an earlier run is found again; nothing of it is sent twice`)
    const id = await send()
    for (;;) {
      const state = await api.look(id)
      if (ended.has(state.status)) return state
      await sleep(context.pollSeconds * 1000, undefined, { signal: closed })
      if (waiting.size === 0) return undefined
    }
  }
  const end = async (state: BatchState): Promise<void> => {
    outcomes = await outcomesOf(state, record, context)
    const good = record.requests.filter((digest) => 'body' in (outcomes?.get(digest) ?? {}))
    // what failed is asked anew by whoever still wants it, in a later process, too
    left.clear()
    for (const digest of good) left.add(digest)
    if (good.length === 0) files.remove(record.name)
    else keep({ requests: good })
    for (const digest of [...waiting.keys()]) hand(digest)
  }
  const hand = (digest: string): void => {
    const outcome = outcomes?.get(digest)
    if (!outcome) return
    left.delete(digest)
    tell(digest, outcome)
  }
  /** Gives the error to those who wait. The batch stays known where it may be there all the same. */
  const fail = (error: Error): void => {
    const isGone = reasonOf(error) === '404'
    const said =
      isGone && record.batchId !== undefined
        ? new CallError('server', `the batch ${record.batchId} is not there any more`, { retryable: true })
        : error
    if (isGone || (record.batchId === undefined && !mayHaveArrived(error))) {
      files.remove(record.name)
      left.clear()
    }
    for (const digest of [...waiting.keys()]) tell(digest, { error: said })
  }
  const follow = async (): Promise<void> => {
    if (isFollowed) return
    isFollowed = true
    try {
      const state = await followed()
      if (state) await end(state)
    } catch (error) {
      if (!closed.aborted) fail(error as Error)
    } finally {
      isFollowed = false
    }
  }

  return {
    /** Whether a reply to this request may still come of it. */
    has: (digest: string): boolean => left.has(digest),
    /** Hands over what comes of a request; the batch is followed meanwhile. Gives a function that ends the waiting. */
    wait(digest: string, take: Take): () => void {
      const takes = waiting.get(digest) ?? new Set()
      waiting.set(digest, takes.add(take))
      if (outcomes) hand(digest)
      else void follow()
      return () => {
        takes.delete(take)
        if (takes.size === 0 && waiting.get(digest) === takes) waiting.delete(digest)
      }
    },
    /** Whether it has ended and all of its replies were taken. */
    isDone: (): boolean => outcomes !== undefined && left.size === 0,
  }
}

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled'])

async function outcomesOf(
  state: BatchState,
  { requests }: BatchRecord,
  { api, errorOf }: SentBatchContext,
): Promise<ReadonlyMap<string, LineOutcome>> {
  const files = [state.error_file_id, state.output_file_id].flatMap((file) => file ?? [])
  const read: (readonly [string, LineOutcome])[] = []
  for (const file of files) read.push(...readLines(await api.download(file), errorOf))
  const found = new Map(read)
  const none = { error: failureOfBatch(state) }
  return new Map(requests.map((digest) => [digest, found.get(digest) ?? none]))
}

/** Why no call of the model can succeed, such as `404`. */
const reasonOf = ({ cause }: Error): string | undefined => (cause instanceof CallError ? cause.unusable : undefined)

/** Whether a request that failed so may have reached the server. */
const mayHaveArrived = (error: Error): boolean =>
  error instanceof ModelError && (error.kind === 'network' || error.kind === 'timeout')

/** What came of one request of a batch: the body of its reply, or its error. */
type LineOutcome = { readonly body: unknown } | { readonly error: Error }

/** Makes the error of a reply with that status, as the client library would. */
type StatusError = (status: number, body: object | undefined) => Error

const line = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})

/** The outcomes in an output or error file of a batch, by request. A line that cannot be read is as none. */
function readLines(text: string, errorOf: StatusError): ReadonlyMap<string, LineOutcome> {
  const outcomes = new Map<string, LineOutcome>()
  for (const one of text.split('\n')) {
    const read = line.safeParse(jsonIn(one))
    if (read.success) outcomes.set(read.data.custom_id, outcomeOf(read.data, errorOf))
  }
  return outcomes
}

function outcomeOf({ response, error }: z.output<typeof line>, errorOf: StatusError): LineOutcome {
  if (response && response.status_code >= 200 && response.status_code < 300) return { body: response.body }
  if (response) {
    const { status_code: status, body } = response
    return { error: errorOf(status, typeof body === 'object' && body !== null ? body : undefined) }
  }
  const { code, message } = error ?? {}
  const said = `the batch did not answer this request: ${message ?? code ?? 'no reason is given'}`
  // whoever cancels a batch does not want it
  return { error: new CallError('server', said, { retryable: code !== 'batch_cancelled' }) }
}
