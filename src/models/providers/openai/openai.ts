import type { ClientOptions } from 'openai'
import { openHttp, type HttpClient } from '../../../basics/http.ts'
import { htmlPage, type HttpReply } from '../../../basics/http-messages.ts'
import { knowSecret, scrub } from '../../../basics/secrets.ts'
import { UserError } from '../../../errors.ts'
import { jsonIn } from '../../../text/json.ts'
import { CallError } from '../../calls/retry.ts'
import { defineProvider, optionNamed, usualReply, type OpenContext } from '../../provider.ts'
import { officialUrl, openaiOptions, type OpenaiOptions } from './options.ts'
import { refusalIn } from './complaints.ts'
import { fromEventStream } from './event-stream.ts'
import { chat, newServer, type Post, embeddings } from './requests.ts'

/** Any server that speaks OpenAI's chat and embeddings API. */
export const openai = defineProvider({
  name: 'openai',
  summary: 'Chat and embedding models behind an OpenAI-compatible API, hosted or local.',
  can: ['complete', 'embed'],
  options: openaiOptions,
  async open(options, context) {
    const apiKey = keyFor(options, context.place)
    const { client, close } = await openClient('openai', { ...options, apiKey })
    const { model, baseUrl, window, textsPerRequest } = options
    const post: Post = (path, body, signal) => client.post(path, { body, signal })
    const known = newServer()
    const key = context.variables?.apiKey
    return {
      name: 'openai',
      model,
      baseUrl,
      parameters: parametersOf(options),
      ...(options.maxTokens !== undefined && { maxTokens: options.maxTokens }),
      ...(window !== undefined && { window, readsTokens: window }),
      batch: textsPerRequest,
      complete: chat(post, options, known, key),
      embed: embeddings(post, options, key),
      tokensField: () => known.tokensField,
      close,
    }
  },
})

/** Largest reply of a server: 2048 vectors of 1536 numbers are about 70 MB. */
export const mostReplyBytes = 1e8

type Reached = Pick<OpenaiOptions, 'baseUrl' | 'headers' | 'body' | 'allowInsecure' | 'timeoutSeconds'> & {
  readonly apiKey: string | undefined
}

/** A client of a server; key and headers stay secret. Throws UserError where they would go in the open. */
export async function openClient(kind: string, { apiKey, ...options }: Reached) {
  for (const secret of [apiKey ?? '', ...Object.values(options.headers)]) knowSecret(secret)
  refuseUnencrypted(kind, options, apiKey)
  const { OpenAI } = await import('openai')
  const connections = openHttp(mostReplyBytes)
  const client = new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: options.baseUrl,
    defaultHeaders: options.headers,
    // what the config does not say must not come from the environment
    organization: null,
    project: null,
    logLevel: 'off',
    fetch: fetchBy(connections, apiKey !== undefined || Object.keys(options.headers).length > 0),
    // repeated by our own layer, which also ends an attempt; this is only the net beneath it
    maxRetries: 0,
    timeout: (options.timeoutSeconds + 10) * 1000,
  })
  return { client, close: connections.close }
}

function keyFor({ apiKey, baseUrl }: OpenaiOptions, place: OpenContext['place']): string | undefined {
  const { host } = new URL(officialUrl)
  // regions have names such as eu.api.openai.com
  if (!`.${new URL(baseUrl).host}`.endsWith(`.${host}`)) return apiKey
  const key = apiKey ?? process.env['OPENAI_API_KEY']
  if (key) return key
  throw new UserError(
    `openai: the API key is missing: set the environment variable OPENAI_API_KEY or ${optionNamed('apiKey', place)}; for a local server set ${optionNamed('baseUrl', place)}`,
  )
}

/** A key goes over the network in the open only where the config allows it. */
function refuseUnencrypted(
  kind: string,
  { baseUrl, headers, body, allowInsecure }: Omit<Reached, 'apiKey' | 'maxReplyBytes'>,
  apiKey: string | undefined,
): void {
  const { protocol, host, hostname, pathname, search } = new URL(baseUrl)
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'http:' || isLoopback || allowInsecure) return
  const written = pathname + search + JSON.stringify(body)
  if (apiKey === undefined && Object.keys(headers).length === 0 && scrub(written) === written) return
  throw new UserError(
    scrub(
      `${kind}: the key, headers or variables of the config would go unencrypted to http://${host}: use https, remove them, or set allowInsecure: true`,
    ),
  )
}

function parametersOf(options: OpenaiOptions): Readonly<Record<string, unknown>> {
  const { temperature, maxTokens = usualReply, seed, queryPrefix, documentPrefix, body } = options
  // `structured` was an option: calls of that time are stored under it
  return { temperature, maxTokens, seed, structured: 'auto', queryPrefix, documentPrefix, body }
}

type Fetch = NonNullable<ClientOptions['fetch']>

/** A fetch for bodies of text. Throws CallError for a reply that holds no data. */
function fetchBy({ send }: HttpClient, hasSecrets: boolean): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { method = 'GET', signal, body } = init
    const headers = Object.fromEntries(new Headers(init.headers))
    const sent = typeof body === 'string' ? body : undefined
    const reply = await send(url, { method, headers, body: sent, signal: signal ?? undefined, hasSecrets })
    return response(reply)
  }
}

/** A reply as the client library takes it: an event stream as one reply, and a refusal in the form that it reads. */
function response({ status, headers, body }: HttpReply<Buffer>): Response {
  const given = new Headers(headers)
  for (const name of ['content-encoding', 'content-length']) given.delete(name)
  if (status === 204 || status === 304) return new Response(null, { status, headers: given })
  const isJson = /^[\s\uFEFF]*[[{]/.test(body.toString('utf8', 0, 64))
  if (isJson && status < 400) return new Response(body, { status, headers: given })
  const text = body.toString()
  const page = htmlPage(text)
  if (page !== undefined && status < 400)
    throw new CallError('server', `the server sent ${page} in place of JSON`, {
      retryable: false,
      unusable: 'html',
      remedy: 'check baseUrl (most end in /v1), and whether a sign-in stands in between',
    })
  const streamed = fromEventStream(text)
  const refusal = page === undefined ? refusalIn(streamed ?? jsonIn(text)) : { error: { message: page } }
  const data = status < 400 ? streamed : refusal
  if (data !== undefined) given.set('content-type', 'application/json')
  return new Response(data === undefined ? text : JSON.stringify(data), { status, headers: given })
}
