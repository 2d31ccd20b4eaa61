import type { Behaviour, FakeServer, Hit } from './server.ts'
import { fakeServer, ordinaryReply } from './server.ts'

/** A batch on the fake server. */
interface FakeBatch {
  readonly id: string
  readonly lines: readonly FakeLine[]
  readonly metadata: unknown
  looks: number
}

/** A line of the file of a batch. */
interface FakeLine {
  readonly custom_id: string
  readonly url: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface BatchServerOptions {
  /** How a batch ends, and after how many looks at it (default 1); `number` counts batches from 0. */
  readonly ends?: (number: number) => {
    readonly status?: string
    readonly looks?: number
    readonly errors?: readonly { readonly code: string; readonly message: string }[]
  }
  /**
   * The outcome of a line instead of the ordinary reply, as it stands in the file; undefined for that, null for no line
   * at all.
   */
  readonly outcome?: (line: FakeLine, number: number) => Readonly<Record<string, unknown>> | null | undefined
  /** What else is done with a request, before all others. */
  readonly behave?: (hit: Hit, index: number) => Behaviour | undefined
  /** The reply to a chat, instead of its echo. */
  readonly reply?: (body: FakeLine['body']) => string | undefined
  readonly port?: number
}

export interface BatchServer extends FakeServer {
  /** Files that were uploaded. */
  readonly uploads: readonly string[]
  readonly batches: readonly FakeBatch[]
}

/** The fake server with the Batch API: files, batches, and the replies that the ordinary paths would give. */
export async function batchServer({
  ends = () => ({}),
  outcome,
  behave,
  reply,
  port,
}: BatchServerOptions = {}): Promise<BatchServer> {
  const uploads: string[] = []
  const batches: FakeBatch[] = []
  const replyTo = (hit: Hit): unknown => {
    const said = hit.path.endsWith('/chat/completions') ? reply?.(hit.body) : undefined
    return ordinaryReply(hit, said)
  }
  const described = (batch: FakeBatch): Readonly<Record<string, unknown>> => {
    const number = batches.indexOf(batch)
    const { status = 'completed', looks = 1, errors } = ends(number)
    const isOver = batch.looks >= looks
    return {
      ...{ id: batch.id, object: 'batch', status: isOver ? status : 'in_progress', metadata: batch.metadata },
      ...(isOver && status !== 'failed' && { output_file_id: `out-${number}`, error_file_id: `err-${number}` }),
      ...(isOver && errors && { errors: { object: 'list', data: errors } }),
    }
  }
  const linesOf = (number: number, wanted: 'out' | 'err'): string => {
    const batch = batches[number]
    return (batch?.lines ?? [])
      .flatMap((line) => {
        const made = outcome?.(line, number)
        if (made === null) return []
        const body = (): unknown => replyTo({ method: 'POST', path: line.url, headers: {}, body: line.body })
        const whole = made ?? { response: { status_code: 200, request_id: 'r', body: body() }, error: null }
        const isError = made !== undefined
        return isError === (wanted === 'err') ? [JSON.stringify({ id: 'x', custom_id: line.custom_id, ...whole })] : []
      })
      .reverse()
      .join('\n')
  }
  const server = await fakeServer({
    ...(port !== undefined && { port }),
    behave(hit, index) {
      const own = behave?.(hit, index)
      if (own) return own
      const { path, method, body } = hit
      if (path === '/v1/files' && method === 'POST') {
        const text = String(body['multipart'])
        uploads.push(text)
        return json({ id: `file-${uploads.length - 1}`, object: 'file' })
      }
      if (path === '/v1/batches' && method === 'POST') {
        const file = uploads[Number(String(body['input_file_id']).slice(5))] ?? ''
        const lines = file.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as FakeLine] : []))
        const batch = { id: `batch_${batches.length}`, lines, metadata: body['metadata'], looks: 0 }
        batches.push(batch)
        return json(described(batch))
      }
      if (path.startsWith('/v1/batches?')) return json({ object: 'list', data: batches.map(described) })
      const [, id] = /^\/v1\/batches\/([^/]+)$/.exec(path) ?? []
      if (id !== undefined) {
        const batch = batches.find((one) => one.id === id)
        if (!batch) return { status: 404 }
        batch.looks++
        return json(described(batch))
      }
      const [, kind, number] = /^\/v1\/files\/(out|err)-(\d+)\/content$/.exec(path) ?? []
      if (kind !== undefined) return { body: linesOf(Number(number), kind as 'out' | 'err'), type: 'application/jsonl' }
      return json(replyTo(hit))
    },
  })
  return { ...server, uploads, batches }
}

const json = (value: unknown): Behaviour => ({ body: JSON.stringify(value), type: 'application/json' })
