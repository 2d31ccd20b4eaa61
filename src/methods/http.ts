import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { unseenCalls } from '../basics/metrics.ts'
import { scrub } from '../basics/secrets.ts'
import { defineMethod } from '../define.ts'
import { messageOf, ModelError, UserError } from '../errors.ts'
import { foreignPassages } from './shared/foreign-passages.ts'

const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]/.test(url) && URL.canParse(url)

const options = z.strictObject({
  url: z
    .string()
    .default('')
    .refine((url) => url === '' || isAddress(url), 'must be an address that begins with http:// or https://')
    .refine((url) => !/:\/\/[^/?#]*@/.test(url), 'must not contain a user name or password; set headers instead')
    .describe('The address that questions are sent to, by POST.'),
  headers: z.record(z.string(), z.string()).default({}).describe('HTTP headers; their values are kept secret.'),
  body: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Further fields of every request, beside question and k.'),
  timeoutSeconds: z.number().gt(0).max(3600).default(30).describe('How long a request may take.'),
  retries: z
    .int()
    .min(0)
    .max(20)
    .default(2)
    .describe('How often a request is made again after a broken connection, a time-out, or status 408, 429 or 5xx.'),
  maxReplyMegabytes: z.number().gt(0).max(1024).default(16).describe('Largest reply; a longer one fails.'),
  allowInsecure: z
    .boolean()
    .default(false)
    .describe('Whether headers may go to an http:// address beyond this computer, where all on the way can read them.'),
})

type HttpOptions = z.output<typeof options>

/** A retriever behind an address: it has an index of its own, and gives passages for a question. */
export const http = defineMethod({
  name: 'http',
  summary:
    'Asks a server of your own for passages, by POST of the question; what the server calls and costs is not known.',
  options,
  requires: async (chosen) => {
    checkAddress(chosen)
    return {}
  },
  // what the server asks of models is not seen
  costs: () => 'unknown',
  async index(chunks, models, chosen) {
    const read = foreignPassages(chunks)
    await reach(chosen, models.signal)
    return {
      warnings: () => ({ [unseenCalls]: 1 }),
      async retrieve({ id, text }, { passages: k }, { signal }) {
        const reply = await replyTo({ ...chosen.body, id, question: text, k }, chosen, signal)
        try {
          return read(reply['passages'], k)
        } catch (error) {
          throw new ModelError('reply', `${chosen.url}: ${messageOf(error)}`, { raw: JSON.stringify(reply) })
        }
      },
    }
  },
})

/** Throws UserError without an address, and where headers would be read on the way. */
function checkAddress({ url, headers, allowInsecure }: HttpOptions): void {
  if (url === '')
    throw new UserError('http: url is missing: give the address of the server, such as http://127.0.0.1:8000/search')
  const { protocol, host, hostname } = new URL(url)
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol === 'http:' && !isLoopback && !allowInsecure && Object.keys(headers).length > 0)
    throw new UserError(
      `http: the headers of the config would go unencrypted to http://${host}: use https, remove them, or set allowInsecure: true`,
    )
}

/** Any reply says that a server is there. Throws ModelError where none is: no question is asked then. */
async function reach({ url, headers, timeoutSeconds }: HttpOptions, signal: AbortSignal | undefined): Promise<void> {
  try {
    const ended = within(timeoutSeconds, signal)
    const response = await fetch(url, { method: 'OPTIONS', headers, redirect: 'manual', signal: ended })
    await response.body?.cancel()
  } catch (error) {
    throw failureOf(error, url, timeoutSeconds, signal)
  }
}

const within = (seconds: number, signal: AbortSignal | undefined): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(seconds * 1000), ...(signal ? [signal] : [])])

/** What a failed request is; where the run has ended, the reason of that is thrown on. */
function failureOf(error: unknown, url: string, seconds: number, signal: AbortSignal | undefined): ModelError {
  signal?.throwIfAborted()
  if (error instanceof ModelError) return error
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ModelError('timeout', `${url}: no reply within ${seconds} seconds`)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : messageOf(cause)
  return new ModelError('network', `${url}: cannot be reached (${code})`, { cause: error })
}

/** The reply, after as many attempts as that takes. Throws ModelError. */
async function replyTo(
  request: Readonly<Record<string, unknown>>,
  chosen: HttpOptions,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { url, retries, timeoutSeconds } = chosen
  for (let failed = 0; ; failed++) {
    let wait: number | undefined
    try {
      const response = await post(request, chosen, signal)
      if (response.status === 200) return parsed(response.text, url)
      const { status, text } = response
      const said = text.trim() === '' ? '' : `: ${scrub(text.trim().replace(/\s+/g, ' ')).slice(0, 200)}`
      const error = new ModelError('server', `${url}: status ${status}${said}`)
      if (failed === retries || !(status === 408 || status === 429 || status >= 500)) throw error
      wait = response.waitSeconds
    } catch (error) {
      const failure = failureOf(error, url, timeoutSeconds, signal)
      if (failed === retries || (failure.kind !== 'network' && failure.kind !== 'timeout')) throw failure
    }
    await sleep(1000 * Math.min(wait ?? 2 ** failed, longestWaitSeconds), undefined, signal ? { signal } : {})
  }
}

const longestWaitSeconds = 60

interface Received {
  readonly status: number
  readonly text: string
  /** How long the server asks to wait, where it says so. */
  readonly waitSeconds?: number
}

/** One attempt, whatever its status. */
async function post(
  request: Readonly<Record<string, unknown>>,
  { url, headers, timeoutSeconds, maxReplyMegabytes }: HttpOptions,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(request),
    // a header with a key goes to no other address
    redirect: 'manual',
    signal: within(timeoutSeconds, signal),
  })
  const pieces: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = response.body ?? []
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > maxReplyMegabytes * 1e6)
      throw new ModelError('server', `${url}: the reply is longer than ${maxReplyMegabytes} megabytes`)
    pieces.push(piece)
  }
  const wait = Number(response.headers.get('retry-after') ?? NaN)
  return {
    status: response.status,
    text: Buffer.concat(pieces).toString('utf8'),
    ...(wait >= 0 && { waitSeconds: wait }),
  }
}

const form = z.looseObject({ passages: z.array(z.unknown()) })

function parsed(text: string, url: string): Readonly<Record<string, unknown>> {
  const fault = new ModelError('reply', `${url}: replied with no JSON object that has a list "passages"`, { raw: text })
  try {
    const read = form.safeParse(JSON.parse(text))
    if (read.success) return read.data
  } catch {
    throw fault
  }
  throw fault
}
