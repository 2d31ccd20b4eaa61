import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from '../../errors.ts'
import type { EmbedRole, Models } from '../../types.ts'
import { modelNames } from './program.ts'
import { answerChat, answerEmbeddings, Refusal } from './chat.ts'

/** The models of a request under way, and as what texts are embedded where a call does not say. */
interface RequestModels {
  readonly models: Models
  readonly role: EmbedRole
}

/** A server on this computer that speaks OpenAI's protocol; nobody without its token is answered. */
export interface ModelServer {
  /** Of calls that count to the one request under way. */
  readonly baseUrl: string
  readonly token: string
  /** From now on there are calls to the address given, which count to that request. */
  begin(id: number, request: RequestModels): string
  /** From now on these calls are refused. */
  end(id: number): void
  close(): Promise<void>
}

/** Starts a server on a free port of 127.0.0.1 with a new random token. */
export async function startServer(): Promise<ModelServer> {
  const token = `gembench-${randomBytes(24).toString('hex')}`
  const underWay = new Map<number, RequestModels>()
  const server = createServer((message, response) => {
    answer(message, token, underWay).then(
      (answered) => send(response, 200, answered),
      (error: unknown) =>
        send(response, error instanceof Refusal ? error.status : 424, {
          error: { message: messageOf(error), type: 'invalid_request_error', code: null, param: null },
        }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl: `${origin}/v1`,
    token,
    begin(id, request) {
      underWay.set(id, request)
      return `${origin}/${id}/v1`
    },
    end: (id) => void underWay.delete(id),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  message: IncomingMessage,
  token: string,
  requests: Requests,
): Promise<object | readonly object[]> {
  if (!isSame(message.headers.authorization ?? '', `Bearer ${token}`))
    throw new Refusal(401, 'the key is wrong: give that of OPENAI_API_KEY')
  const { pathname } = new URL(message.url ?? '', 'http://127.0.0.1')
  const [, id, path = ''] = /^(?:\/(\d+))?\/v1\/(.+)$/.exec(pathname) ?? []
  if (path === 'models' && message.method === 'GET') return models
  if (message.method !== 'POST' || (path !== 'chat/completions' && path !== 'embeddings'))
    throw new Refusal(
      404,
      `there is no ${message.method ?? ''} ${pathname}: there are chat/completions, embeddings and models`,
    )
  const request = requestOf(id, requests)
  const body = await bodyOf(message)
  return path === 'embeddings' ? answerEmbeddings(body, request) : answerChat(body, request.models)
}

/** The requests that have no reply yet, by their numbers. */
type Requests = ReadonlyMap<number, RequestModels>

const models = {
  object: 'list',
  data: Object.values(modelNames).map((id) => ({ id, object: 'model', created: 0, owned_by: 'gembench' })),
}

/** In a time that does not tell how much of it is right. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** The request that a call counts to: that of its address, or the only one under way. Throws Refusal. */
function requestOf(id: string | undefined, underWay: Requests): RequestModels {
  const [only, ...others] = underWay.values()
  const request = id === undefined ? only : underWay.get(Number(id))
  if (!request)
    throw new Refusal(
      410,
      `${id === undefined ? 'no request' : `request ${id}`} is under way: models answer until a request is replied to`,
    )
  if (id === undefined && others.length > 0)
    throw new Refusal(400, 'several requests are under way: call the baseUrl that stands in the request')
  return request
}

const longestBody = 64_000_000

async function bodyOf(message: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > longestBody) throw new Refusal(413, `the body has more than ${longestBody} bytes`)
    parts.push(part)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // said below
  }
  throw new Refusal(400, 'the body is no JSON object')
}

/** JSON, or a stream of events for a list. A client is told not to repeat failed calls: that was done already. */
function send(response: ServerResponse, status: number, answered: object | readonly object[]): void {
  if (response.destroyed) return
  const isStream = Array.isArray(answered)
  const type = isStream ? 'text/event-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...(status !== 200 && { 'x-should-retry': 'false' }) })
  const events = isStream ? [...(answered as readonly object[]).map((one) => JSON.stringify(one)), '[DONE]'] : []
  response.end(isStream ? events.map((one) => `data: ${one}\n\n`).join('') : JSON.stringify(answered))
}
