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

/** The reply as the client library takes it: JSON, and refusals in OpenAI's form. */
function responseOf({ status, headers, body }: HttpReply<Buffer>): Response {
  headers.set('content-type', 'application/json')
  const beginning = body.toString('utf8', 0, 1000)
  // some servers send errors with status 200
  const isError = status >= 400 || /"error"\s*:\s*["{]/.test(beginning)
  if (!isError && /^[\s\uFEFF]*[[{]/.test(beginning)) return new Response(body, { status, headers })
  const text = body.toString()
  const page = htmlPage(text)
  if (page !== undefined && !isError)
    throw new CallError('server', `the server sent ${page} instead of JSON`, {
      retryable: false,
      unusable: 'html',
      remedy: 'check baseUrl (most end in /v1) and whether the network requires a sign-in',
    })
  const content = page ?? jsonIn(text) ?? replyOfEvents(text) ?? text
  const refusal = isError ? refusalIn(content) : undefined
  if (!refusal) return Response.json(content, { status, headers })
  const statusInBody = Number(refusal.code) >= 400 && Number(refusal.code) < 600 ? Number(refusal.code) : 400
  return Response.json({ error: refusal }, { status: status >= 400 ? status : statusInBody, headers })
}

const chunk = z.object({
  choices: z.array(z.object({ delta: z.looseObject({}), finish_reason: z.string().nullish() })),
  usage: z.unknown().optional(),
})

/**
 * The reply in an event stream, which some servers send unrequested; undefined for other texts. Throws CallError for a
 * truncated stream.
 */
function replyOfEvents(text: string): unknown {
  const events = Array.from(text.matchAll(/^\s*data:([^\r\n]*)/gm), ([, data]) => jsonIn(data)).filter(Boolean)
  // an error, or the whole reply
  const reply = events.find((event) => !chunk.safeParse(event).success)
  if (reply !== undefined || events.length === 0) return reply
  const chunks = z.array(chunk).parse(events)
  const choices = chunks.flatMap((event) => event.choices.slice(0, 1))
  const reason = choices.findLast(({ finish_reason }) => finish_reason)?.finish_reason
  if (!reason) throw new CallError('network', 'the event stream of the server breaks off', { retryable: true })
  const fields = ['content', 'refusal', 'reasoning_content', 'reasoning'].map((field) => {
    const texts = choices.map(({ delta }) => textOf(delta[field]))
    return [field, texts.join('')] as const
  })
  const usage = chunks.findLast((event) => event.usage)?.usage
  return { choices: [{ finish_reason: reason, message: Object.fromEntries(fields) }], usage }
}
