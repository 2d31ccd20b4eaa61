import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { openHttp, type HttpClient } from '../basics/http.ts'
import { htmlPage, HttpFault, type HttpReply } from '../basics/http-messages.ts'
import { unseenCalls } from '../basics/metrics.ts'
import { scrub, messageOf, ModelError, UserError } from '../errors.ts'
import { defineMethod } from '../define.ts'
import { externalPassageReader } from './shared/external-passages.ts'

const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]/.test(url) && URL.canParse(url)

const options = z.strictObject({
  url: z
    .string()
    .default('')
    .refine((url) => url === '' || isAddress(url), 'must be an address that begins with http:// or https://')
    .refine((url) => !/:\/\/[^/?#]*@/.test(url), 'must not contain a user name or password; set headers instead')
    .describe('The address that questions are sent to, by POST.'),
  headers: z.record(z.string(), z.string()).default({}).describe('HTTP headers; their values are kept secret.'),
  timeoutSeconds: z.number().gt(0).max(3600).default(30).describe('How long a request may take.'),
})

type HttpOptions = z.output<typeof options>

/** Retries after a broken connection, a timeout, or status 408, 429 or 5xx. */
const retries = 2

/** Maximum bytes of a reply. */
const maxReplyBytes = 16e6

/** A retrieval server with an index of its own, which returns passages for a question. */
export const http = defineMethod({
  name: 'http',
  summary:
    'Asks a server of your own for passages, by POST of the question; what the server calls and costs is not known.',
  options,
  requires: async (config) => {
    checkAddress(config)
    return {}
  },
  async index(chunks, models, config) {
    const read = externalPassageReader(chunks)
    const client = openHttp(maxReplyBytes)
    await checkServer(client, config, models.signal)
    return {
      warnings: () => ({ [unseenCalls]: 1 }),
      async retrieve({ id, text }, { passages: k }, { signal }) {
        const reply = await replyTo(client, { id, question: text, k }, config, signal)
        try {
          return read(reply['passages'], k)
        } catch (error) {
          throw new ModelError('reply', `${config.url}: ${messageOf(error)}`, { raw: JSON.stringify(reply) })
        }
      },
      close: () => client.close(),
    }
  },
})

/** Throws UserError without an address, and for headers that would be sent unencrypted. */
function checkAddress({ url, headers }: HttpOptions): void {
  if (url === '')
    throw new UserError('http: url is missing: give the address of the server, such as http://127.0.0.1:8000/search')
  const { protocol, host, hostname } = new URL(url)
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol === 'http:' && !isLoopback && Object.keys(headers).length > 0)
    throw new UserError(
      `http: the headers of the config would go unencrypted to http://${host}: use https or remove them`,
    )
}

/** Throws ModelError if no server replies, before any question is sent. */
async function checkServer(client: HttpClient, config: HttpOptions, signal: AbortSignal | undefined): Promise<void> {
  try {
    await send(client, 'OPTIONS', undefined, config, signal)
  } catch (error) {
    if (error instanceof HttpFault) return
    throw failureOf(error, config, signal)
  }
}

/** Sends one request; resolves with any status. */
function send(
  client: HttpClient,
  method: 'OPTIONS' | 'POST',
  request: Readonly<Record<string, unknown>> | undefined,
  { url, headers, timeoutSeconds }: HttpOptions,
  signal: AbortSignal | undefined,
): Promise<HttpReply<Buffer>> {
  return client.send(new URL(url), {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: request && JSON.stringify(request),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutSeconds * 1000), ...(signal ? [signal] : [])]),
    hasSecrets: Object.keys(headers).length > 0,
  })
}

/** The ModelError of a failed request. Throws the reason of `signal` if it is aborted. */
function failureOf(error: unknown, { url, timeoutSeconds }: HttpOptions, signal: AbortSignal | undefined): ModelError {
  signal?.throwIfAborted()
  if (error instanceof ModelError) return error
  if (error instanceof HttpFault)
    return new ModelError('server', [`${url}: ${error.message}`, error.remedy].filter(Boolean).join('; '))
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if ([error, cause].some((candidate) => candidate instanceof Error && candidate.name === 'TimeoutError'))
    return new ModelError('timeout', `${url}: no reply within ${timeoutSeconds} seconds`)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : messageOf(cause)
  return new ModelError('network', `${url}: cannot be reached (${code})`, { cause: error })
}

/** The reply, after retries. Throws ModelError. */
async function replyTo(
  client: HttpClient,
  request: Readonly<Record<string, unknown>>,
  config: HttpOptions,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { url } = config
  for (let failed = 0; ; failed++) {
    let wait: number | undefined
    try {
      const { status, headers, body } = await send(client, 'POST', request, config, signal)
      const text = body.toString()
      if (status === 200) return parseReply(text, url)
      const detail = htmlPage(text) ?? scrub(text.trim().replace(/\s+/g, ' ')).slice(0, 200)
      const error = new ModelError('server', `${url}: status ${status}${detail === '' ? '' : `: ${detail}`}`)
      if (failed === retries || !(status === 408 || status === 429 || status >= 500)) throw error
      const retryAfter = Number(headers.get('retry-after') ?? NaN)
      wait = retryAfter >= 0 ? retryAfter : undefined
    } catch (error) {
      const failure = failureOf(error, config, signal)
      if (failed === retries || (failure.kind !== 'network' && failure.kind !== 'timeout')) throw failure
    }
    await sleep(1000 * Math.min(wait ?? 2 ** failed, longestWaitSeconds), undefined, signal ? { signal } : {})
  }
}

const longestWaitSeconds = 60

const form = z.looseObject({ passages: z.array(z.unknown()) })

function parseReply(text: string, url: string): Readonly<Record<string, unknown>> {
  const page = htmlPage(text)
  const pageNote = page === undefined ? '' : `${page}, and `
  const fault = new ModelError('reply', `${url}: replied with ${pageNote}no JSON object that has a list "passages"`, {
    raw: text,
  })
  try {
    const read = form.safeParse(JSON.parse(text))
    if (read.success) return read.data
  } catch {
    throw fault
  }
  throw fault
}
