import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the fake server does with one request. */
export type Behaviour =
  | {
      readonly reply: string | null | readonly unknown[]
      readonly finish?: string
      readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null
      /** Further fields of the message, such as `reasoning_content` and `refusal`. */
      readonly message?: Readonly<Record<string, unknown>>
    }
  | { readonly vectors: readonly (readonly (number | null)[])[] }
  | {
      readonly status: number
      readonly error?: Readonly<Partial<Record<'message' | 'code' | 'type' | 'param', string | number>>>
      readonly headers?: Readonly<Record<string, string>>
    }
  /** A body as it is, of status 200 where none is given. */
  | {
      readonly body: string | Buffer
      readonly type: string
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }
  /**
   * `reset`: the connection breaks before a word; `truncated`: in the middle of the body; `hang`: nothing ever comes.
   */
  | { readonly broken: 'reset' | 'truncated' | 'malformed' | 'no choices' | 'hang' }

/** A request as it came in. */
export interface Hit {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface FakeServerOptions {
  /** What to do with the nth request, counted from 0; undefined for the ordinary reply. */
  readonly behave?: (hit: Hit, index: number) => Behaviour | undefined
  /** How long every reply takes. */
  readonly latencyMs?: number
  /** Length of the embeddings. */
  readonly dimensions?: number
  readonly port?: number
}

export interface FakeServer {
  /** What a config calls `baseUrl`. */
  readonly url: string
  readonly hits: readonly Hit[]
  /** Most requests that were under way at once. */
  readonly busiest: () => number
  close(): Promise<void>
}

/**
 * An OpenAI-compatible server on this computer that does what it is told: chat replies, embeddings, and every kind of
 * failure.
 */
export async function fakeServer(options: FakeServerOptions = {}): Promise<FakeServer> {
  const { behave, latencyMs = 0, dimensions = 8, port = 0 } = options
  const hits: Hit[] = []
  let busy = 0
  let busiest = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    busiest = Math.max(busiest, ++busy)
    response.on('close', () => busy--)
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const hit = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await readBody(request),
    }
    const index = hits.push(hit) - 1
    if (latencyMs > 0) await sleep(latencyMs)
    write(response, hit, behave?.(hit, index) ?? ordinary(hit, dimensions))
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    hits,
    busiest: () => busiest,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<Hit['body']> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : (JSON.parse(text) as Hit['body'])
}

/** The body of the ordinary reply to a request; a chat says `said` where it is given. */
export function ordinaryReply(hit: Hit, text?: string): unknown {
  const behaviour = text === undefined ? ordinary(hit, 8) : { reply: text }
  if ('vectors' in behaviour) return embeddings(hit, behaviour.vectors)
  return 'reply' in behaviour ? completion(hit, behaviour) : undefined
}

/** Chat echoes the last message; a text's vector is made of its characters. */
function ordinary({ path, body }: Hit, dimensions: number): Behaviour {
  if (path.endsWith('/embeddings'))
    return { vectors: (body['input'] as string[]).map((text) => vector(text, dimensions)) }
  const messages = body['messages'] as { content: string }[]
  return { reply: `echo: ${messages.at(-1)?.content ?? ''}` }
}

const vector = (text: string, dimensions: number): number[] =>
  Array.from({ length: dimensions }, (_, axis) =>
    Array.from(text).reduce((sum, character, at) => sum + (character.charCodeAt(0) % (axis + 2)) * (at + 1), 1),
  )

function write(response: ServerResponse, hit: Hit, behaviour: Behaviour): void {
  if ('broken' in behaviour) breakOff(response, behaviour.broken)
  else if ('type' in behaviour) {
    response.writeHead(behaviour.status ?? 200, { 'content-type': behaviour.type, ...behaviour.headers })
    response.end(behaviour.body)
  } else if ('status' in behaviour) {
    const { status, error, headers } = behaviour
    send(response, status, { error: { message: `status ${status}`, ...error } }, headers)
  } else send(response, 200, 'vectors' in behaviour ? embeddings(hit, behaviour.vectors) : completion(hit, behaviour))
}

function completion({ body }: Hit, { reply, finish = 'stop', usage, message }: Extract<Behaviour, { reply: unknown }>) {
  return {
    id: 'chat-1',
    object: 'chat.completion',
    model: body['model'],
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content: reply, ...message } }],
    ...(usage === null ? {} : { usage: usage ?? { prompt_tokens: promptTokens(body), completion_tokens: 3 } }),
  }
}

/** About as many as the prompt has, and 11 of a short one. */
function promptTokens({ messages }: Hit['body']): number {
  const texts = Array.isArray(messages) ? (messages as { content: string }[]).map(({ content }) => content) : []
  return Math.max(11, Math.ceil(texts.join('').length / 4))
}

function embeddings({ body }: Hit, vectors: readonly (readonly (number | null)[])[]) {
  const encode = (list: readonly (number | null)[]) =>
    body['encoding_format'] === 'base64'
      ? Buffer.from(Float32Array.from(list, (value) => value ?? NaN).buffer).toString('base64')
      : list
  return {
    object: 'list',
    model: body['model'],
    data: vectors.map((list, index) => ({ object: 'embedding', index, embedding: encode(list) })),
    usage: { prompt_tokens: vectors.length * 5, total_tokens: vectors.length * 5 },
  }
}

function breakOff(response: ServerResponse, how: Extract<Behaviour, { broken: unknown }>['broken']): void {
  switch (how) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'truncated':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
      response.write('{"choices": [', () => response.socket?.destroy())
      return
    case 'malformed':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"choices": [}')
      return
    case 'no choices':
      send(response, 200, { choices: [], usage: { prompt_tokens: 1, completion_tokens: 0 } })
      return
    case 'hang':
      return
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
