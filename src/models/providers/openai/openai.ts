import http from 'node:http'
import https from 'node:https'
import type { ClientOptions } from 'openai'
import { knowSecret, scrub } from '../../../basics/secrets.ts'
import { UserError } from '../../../errors.ts'
import { jsonIn } from '../../../text/json.ts'
import { CallError } from '../../calls/retry.ts'
import { defineProvider, optionNamed, usualReply, type OpenContext } from '../../provider.ts'
import { mostRequests, openBatches } from './batch/batches.ts'
import { batchSettings, officialUrl, openaiOptions, type OpenaiOptions } from './options.ts'
import { refusalIn } from './complaints.ts'
import { chat, newServer, type Post, embeddings } from './requests.ts'

/** Any server that speaks OpenAI's chat and embeddings API. */
export const openai = defineProvider({
  name: 'openai',
  summary: 'Chat and embedding models behind an OpenAI-compatible API, hosted or local.',
  can: ['complete', 'embed'],
  options: openaiOptions,
  async open(options, context) {
    const apiKey = keyFor(options, context.place)
    const maxReply = options.maxReplyMegabytes * 1e6
    const { client, close } = await openClient('openai', {
      ...options,
      apiKey,
      // the file of a batch holds many replies
      maxReplyBytes: batchSettings(options.batch) ? Math.max(maxReply, 1e9) : maxReply,
    })
    const { model, baseUrl, window, batch, textsPerRequest } = options
    const post: Post = (path, body, { signal }) => client.post(path, { body, signal })
    const known = newServer(options)
    const key = context.variables?.apiKey
    const direct = { complete: chat(post, options, known, key), embed: embeddings(post, options, key) }
    const settings = batchSettings(batch)
    const batches = settings && (await openBatches(client, options, settings, context))
    return {
      name: 'openai',
      model,
      baseUrl,
      parameters: parametersOf(options),
      ...(options.maxTokens !== undefined && { maxTokens: options.maxTokens }),
      ...(window !== undefined && { window, readsTokens: window }),
      batch: typeof batch === 'number' ? batch : textsPerRequest,
      ...direct,
      ...(batches && {
        ...{ complete: chat(batches.post, options, known, key), embed: embeddings(batches.post, options, key) },
        collects: { calls: mostRequests, seconds: batchSeconds, priceFactor: 0.5, direct },
      }),
      close: async () => {
        batches?.close()
        close()
      },
    }
  },
})

type Reached = Pick<OpenaiOptions, 'baseUrl' | 'headers' | 'body' | 'allowInsecure' | 'timeoutSeconds'> & {
  readonly apiKey: string | undefined
  readonly maxReplyBytes: number
}

/** A client of a server; key and headers stay secret. Throws UserError where they would go in the open. */
export async function openClient(kind: string, { apiKey, maxReplyBytes, ...options }: Reached) {
  for (const secret of [apiKey ?? '', ...Object.values(options.headers)]) knowSecret(secret)
  refuseUnencrypted(kind, options, apiKey)
  const { OpenAI } = await import('openai')
  const connections = keepAliveFetch(maxReplyBytes)
  const client = new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: options.baseUrl,
    defaultHeaders: options.headers,
    // what the config does not say must not come from the environment
    organization: null,
    project: null,
    logLevel: 'off',
    fetch: connections.fetch,
    // repeated by our own layer, which also ends an attempt; this is only the net beneath it
    maxRetries: 0,
    timeout: (options.timeoutSeconds + 10) * 1000,
  })
  return { client, close: connections.close }
}

/** A batch ends within 24 hours; an hour more for what is before and after. */
const batchSeconds = 25 * 3600

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
  const { temperature, topP, maxTokens = usualReply, seed, structured, dimensions } = options
  const { queryPrefix, documentPrefix, body, systemRole } = options
  const merged = systemRole === 'auto' ? {} : { systemRole }
  return { temperature, topP, maxTokens, seed, structured, dimensions, queryPrefix, documentPrefix, body, ...merged }
}

type Fetch = NonNullable<ClientOptions['fetch']>

/**
 * A fetch for bodies of text, or a form with a file, over kept connections: Node's own gives up after 300 seconds, and
 * takes more processor time (0.8 against 0.7 ms a call). The response comes when its body is whole, so that a time-out
 * holds for all of it; one longer than `maxReplyBytes` is a CallError.
 */
function keepAliveFetch(maxReplyBytes: number): { fetch: Fetch; close: () => void } {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  }
  return {
    fetch: (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const secure = url.protocol === 'https:'
      const { method = 'GET', signal, body } = init
      const options = {
        method,
        headers: Object.fromEntries(new Headers(init.headers)),
        agent: agents[secure ? 'https:' : 'http:'],
        ...(signal && { signal }),
      }
      const exchange = (sent: string | Buffer | undefined): Promise<Response> =>
        new Promise((resolve, reject) => {
          const request = (secure ? https : http).request(url, options, (incoming) => {
            collect(incoming, maxReplyBytes).then(resolve, reject)
          })
          request.on('error', reject)
          request.end(sent)
        })
      if (!(body instanceof FormData)) return exchange(typeof body === 'string' ? body : undefined)
      const form = new Response(body)
      options.headers['content-type'] = form.headers.get('content-type') ?? ''
      return form.arrayBuffer().then((bytes) => exchange(Buffer.from(bytes)))
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

async function collect(incoming: http.IncomingMessage, maxBytes: number): Promise<Response> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    // leaving the loop ends the connection
    if (bytes > maxBytes) {
      const megabytes = (maxBytes / 1e6).toLocaleString('en-US')
      throw new CallError('server', `the reply is longer than ${megabytes} MB (option maxReplyMegabytes)`, {
        retryable: false,
      })
    }
  }
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const status = incoming.statusCode ?? 500
  if (status < 400)
    return new Response(status === 204 || status === 304 ? null : Buffer.concat(parts), { status, headers })
  const text = Buffer.concat(parts).toString()
  const refusal = refusalIn(jsonIn(text))
  return new Response(refusal ? JSON.stringify(refusal) : text, { status, headers })
}
