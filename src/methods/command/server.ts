import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { isObject } from '../../basics/plain-data.ts'
import { knowSecret, messageOf } from '../../errors.ts'
import type { EmbedRole, Models } from '../../types.ts'
import { answerChat, answerEmbeddings, Refusal } from './chat.ts'

/** The models of a pending request, and the default role of its embedding calls. */
interface RequestModels {
  readonly models: Models
  readonly role: EmbedRole
}

/** Starts a server with OpenAI's protocol on a free port of 127.0.0.1; requests need its new random token. */
export async function startServer() {
  const token = `gembench-${randomBytes(24).toString('hex')}`
  knowSecret(token)
  const requests = new Map<number, RequestModels>()
  const server = createServer((message, response) => {
    answer(message, token, requests).then(
      (reply) => send(response, 200, reply),
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
  // the process of the program keeps this one alive
  server.unref()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** For calls while exactly one request is pending. */
    baseUrl: `${origin}/v1`,
    token,
    /** Registers a request; returns the base URL for its calls. */
    begin(id: number, request: RequestModels): string {
      requests.set(id, request)
      return `${origin}/${id}/v1`
    },
    /** Rejects further calls of a request. */
    end: (id: number) => void requests.delete(id),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  message: IncomingMessage,
  token: string,
  requests: ReadonlyMap<number, RequestModels>,
): Promise<object> {
  if (!isSame(message.headers.authorization ?? '', `Bearer ${token}`))
    throw new Refusal(401, 'the key is wrong: give that of OPENAI_API_KEY')
  const { pathname } = new URL(message.url ?? '', 'http://127.0.0.1')
  const [, id, path = ''] = /^(?:\/(\d+))?\/v1\/(.+)$/.exec(pathname) ?? []
  if (message.method !== 'POST' || (path !== 'chat/completions' && path !== 'embeddings'))
    throw new Refusal(404, `there is no ${message.method} ${pathname}: there are chat/completions and embeddings`)
  if (id === undefined && requests.size > 1)
    throw new Refusal(400, 'several requests are under way: call the baseUrl that stands in the request')
  const request = id === undefined ? [...requests.values()][0] : requests.get(Number(id))
  if (!request)
    throw new Refusal(410, `request ${id ?? ''} is not under way: models answer until a request is replied to`)
  const body = await json(message).catch(() => undefined)
  if (!isObject(body)) throw new Refusal(400, 'the body is no JSON object')
  const { models, role } = request
  return path === 'embeddings' ? answerEmbeddings(body, models, role) : answerChat(body, models)
}

function isSame(header: string, credentials: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header), digest(credentials))
}

/** Sends JSON. Clients must not retry: the models have retried already. */
function send(response: ServerResponse, status: number, reply: object): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status !== 200 && { 'x-should-retry': 'false' }),
  })
  response.end(JSON.stringify(reply))
}
