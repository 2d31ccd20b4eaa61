import type { ClientOptions } from 'openai'
import { z } from 'zod'
import { openHttp } from '../../../basics/http.ts'
import { htmlPage, type HttpReply } from '../../../basics/http-messages.ts'
import { knowSecret, scrub, UserError } from '../../../errors.ts'
import { jsonIn } from '../../../text/json.ts'
import { CallError } from '../../calls/retry.ts'
import { refusalIn } from './errors.ts'
import type { OpenaiOptions } from './options.ts'
import { textOf } from './replies.ts'

/** Largest reply: 2048 vectors of 1536 numbers are about 70 MB. */
export const maxReplyBytes = 1e8

type Connection = Pick<OpenaiOptions, 'baseUrl' | 'headers' | 'body' | 'allowInsecure' | 'timeoutSeconds'> & {
  readonly apiKey: string | undefined
}

/** A client of a server; key and headers stay secret. Throws UserError if they would go unencrypted. */
export async function openClient(kind: string, { apiKey, ...options }: Connection) {
  for (const secret of [apiKey ?? '', ...Object.values(options.headers)]) knowSecret(secret)
  refusePlainHttp(kind, options, apiKey)
  const { OpenAI } = await import('openai')
  const { send, close } = openHttp(maxReplyBytes)
  const hasSecrets = apiKey !== undefined || Object.keys(options.headers).length > 0
  const fetch: NonNullable<ClientOptions['fetch']> = async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const reply = await send(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : undefined,
      signal: signal ?? undefined,
      hasSecrets,
    })
    return responseOf(reply)
  }
  const client = new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: options.baseUrl,
    defaultHeaders: options.headers,
    // settings must not come from the environment
    organization: null,
    project: null,
    logLevel: 'off',
    fetch,
    // the model client does retries and time limits; this one is a safety net
    maxRetries: 0,
    timeout: (options.timeoutSeconds + 10) * 1000,
  })
  return { client, close }
}

/** Throws UserError if a secret would go over the network unencrypted, unless the config allows it. */
function refusePlainHttp(
  kind: string,
  { baseUrl, headers, body, allowInsecure }: Omit<Connection, 'apiKey'>,
  apiKey: string | undefined,
): void {
  const { protocol, host, hostname, pathname, search } = new URL(baseUrl)
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'http:' || isLoopback || allowInsecure) return
  const target = pathname + search + JSON.stringify(body)
  if (apiKey === undefined && Object.keys(headers).length === 0 && scrub(target) === target) return
  throw new UserError(
    scrub(
      `${kind}: the key, headers or variables of the config would go unencrypted to http://${host}: use https, remove them, or set allowInsecure: true`,
    ),
  )
}

/** Normalises a reply for the client library: JSON by its content, event streams, refusals in OpenAI's form. */
function responseOf({ status, headers, body }: HttpReply<Buffer>): Response {
  const names = ['content-encoding', 'content-length']
  const replyHeaders = new Headers([...headers].filter(([name]) => !names.includes(name)))
  if (status === 204 || status === 304) return new Response(null, { status, headers: replyHeaders })
  const json = (data: string | Buffer, as: number): Response => {
    replyHeaders.set('content-type', 'application/json')
    return new Response(data, { status: as, headers: replyHeaders })
  }
  const beginning = body.toString('utf8', 0, 1000)
  // some servers send errors with status 200
  const isError = status >= 400 || /"error"\s*:\s*["{]/.test(beginning)
  if (!isError && /^[\s\uFEFF]*[[{]/.test(beginning)) return json(body, status)
  const isStream = status < 400 && /^[\s\uFEFF]*(?:data|event|id|retry|):/.test(beginning)
  const text = isStream ? JSON.stringify(fromEventStream(body.toString())) : body.toString()
  if (isStream && !isError) return json(text, status)
  const page = htmlPage(text)
  if (page !== undefined && !isError)
    throw new CallError('server', `the server sent ${page} instead of JSON`, {
      retryable: false,
      unusable: 'html',
      remedy: 'check baseUrl (most end in /v1) and whether the network requires a sign-in',
    })
  const refusal = page === undefined ? refusalIn(jsonIn(text)) : { error: { message: page } }
  if (!isError || !refusal) return new Response(text, { status, headers: replyHeaders })
  const errorCode = Number(refusal.error['code'])
  const statusInBody = errorCode >= 400 && errorCode < 600 ? errorCode : 400
  return json(JSON.stringify(refusal), status >= 400 ? status : statusInBody)
}

const part = z.unknown().optional()
const deltas = z.object({
  choices: z.array(
    z.object({
      index: z.number().nullish(),
      delta: z.object({ content: part, refusal: part, reasoning_content: part, reasoning: part }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: part,
})

/** The reply in an event stream, which some servers send unrequested. Throws CallError for a truncated stream. */
function fromEventStream(text: string): unknown {
  const data = text.split(/[\r\n]+/).flatMap((line) => /^\s*data:(.*)/s.exec(line)?.[1] ?? [])
  const events = data.map(jsonIn).filter((event) => event !== undefined)
  const reads = events.map((event) => deltas.safeParse(event))
  const completeAt = reads.findIndex(({ success }) => !success)
  if (completeAt >= 0) return events[completeAt]
  const choices = reads.flatMap((read) => read.data?.choices.find(({ index }) => (index ?? 0) === 0) ?? [])
  const reason = choices.findLast(({ finish_reason }) => finish_reason)?.finish_reason
  if (!reason) throw new CallError('network', 'the event stream of the server breaks off', { retryable: true })
  const join = (fieldOf: (delta: (typeof choices)[number]['delta']) => unknown): string =>
    choices.map(({ delta }) => textOf(fieldOf(delta))).join('')
  const message = {
    content: join((delta) => delta.content),
    refusal: join((delta) => delta.refusal),
    reasoning_content: join((delta) => delta.reasoning_content ?? delta.reasoning),
  }
  const usage = reads.findLast((read) => read.data?.usage)?.data?.usage
  return { choices: [{ finish_reason: reason, message }], usage }
}
