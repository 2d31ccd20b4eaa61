import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { openHttp } from '../basics/http.ts'
import { htmlPage, HttpFault } from '../basics/http-messages.ts'
import { unseenCalls } from '../basics/metrics.ts'
import { isObject } from '../basics/plain-data.ts'
import { scrub, messageOf, ModelError, UserError } from '../errors.ts'
import { defineMethod } from '../define.ts'
import { jsonIn } from '../text/json.ts'
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
    const server = openServer(config)
    // any reply will do: a server that is down fails the index, before any question is sent
    await server.send('OPTIONS', undefined, models.signal).catch((error: unknown) => {
      if (!(error instanceof ModelError && error.kind === 'server')) throw error
    })
    return {
      warnings: () => ({ [unseenCalls]: 1 }),
      async retrieve({ id, text }, { passages: k }, { signal }) {
        const passages = await server.ask({ id, question: text, k }, signal)
        try {
          return read(passages, k)
        } catch (error) {
          throw new ModelError('reply', `${config.url}: ${messageOf(error)}`, { raw: JSON.stringify(passages) })
        }
      },
      close: server.close,
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

/** The server of a config; its requests throw ModelError, or the reason of `signal`. */
function openServer({ url, headers, timeoutSeconds }: HttpOptions) {
  const client = openHttp(maxReplyBytes)
  /** Sends one request; resolves with any status. */
  const send = async (method: string, body: string | undefined, signal: AbortSignal | undefined) => {
    try {
      return await client.send(new URL(url), {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutSeconds * 1000), ...(signal ? [signal] : [])]),
        hasSecrets: Object.keys(headers).length > 0,
      })
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof HttpFault)
        throw new ModelError('server', [`${url}: ${error.message}`, error.remedy].filter(Boolean).join('; '))
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      if ([error, cause].some((candidate) => candidate instanceof Error && candidate.name === 'TimeoutError'))
        throw new ModelError('timeout', `${url}: no reply within ${timeoutSeconds} seconds`)
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : messageOf(cause)
      throw new ModelError('network', `${url}: cannot be reached (${code})`, { cause: error })
    }
  }
  /** The passages for a question, after retries. */
  const ask = async (question: object, signal: AbortSignal | undefined) => {
    for (let failed = 0; ; failed++) {
      const reply = await send('POST', JSON.stringify(question), signal).catch((error: unknown) => {
        if (!(error instanceof ModelError) || error.kind === 'server' || failed === retries) throw error
      })
      const text = reply?.body.toString() ?? ''
      if (reply?.status === 200) return passagesIn(text, url)
      const { status = 408, headers } = reply ?? {}
      const isTemporary = status === 408 || status === 429 || status >= 500
      if (!isTemporary || failed === retries) {
        const detail = htmlPage(text) ?? scrub(text.trim().replace(/\s+/g, ' ')).slice(0, 200)
        throw new ModelError('server', [`${url}: status ${status}`, detail].filter(Boolean).join(': '))
      }
      const retryAfter = Number(headers?.get('retry-after') ?? 2 ** failed)
      const seconds = retryAfter >= 0 ? retryAfter : 2 ** failed
      await sleep(1000 * Math.min(seconds, longestWaitSeconds), undefined, signal && { signal })
    }
  }
  return { send, ask, close: client.close }
}

const longestWaitSeconds = 60

function passagesIn(text: string, url: string): readonly unknown[] {
  const reply = jsonIn(text)
  if (isObject(reply) && Array.isArray(reply['passages'])) return reply['passages']
  const page = htmlPage(text)
  const description = `${page === undefined ? '' : `${page}, and `}no JSON object that has a list "passages"`
  throw new ModelError('reply', `${url}: replied with ${description}`, { raw: text })
}
