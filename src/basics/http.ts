import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { messageOf, UserError, knowSecret } from '../errors.ts'
import { HttpFault, type HttpReply, type HttpRequest } from './http-messages.ts'
import { once } from './memoise.ts'

export interface HttpClient {
  /** Throws HttpFault, or undici's error where the connection fails. */
  readonly send: (url: URL, request: HttpRequest) => Promise<HttpReply<Buffer>>
  readonly close: () => Promise<void>
}

/**
 * An HTTP client with keep-alive that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY, without a time limit (Node's fetch
 * has 300 seconds). Replies longer than `maxBytes` are an HttpFault. Follows redirects that keep the method. Throws
 * UserError for an invalid proxy address.
 */
export function openHttp(maxBytes: number): HttpClient {
  const proxies = { httpProxy: proxyAddress('HTTP_PROXY'), httpsProxy: proxyAddress('HTTPS_PROXY') }
  const hasProxy = Object.values(proxies).some((address) => address !== '')
  let isOpened = false
  // loaded lazily: takes 0.1 s
  const connection = once(async () => {
    isOpened = true
    const { Agent, EnvHttpProxyAgent, request } = await import('undici')
    const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxBytes }
    // no tunnel for plain http: many proxies refuse other ports than 443
    const dispatcher = hasProxy
      ? new EnvHttpProxyAgent({ ...proxies, noProxy: environment('NO_PROXY'), proxyTunnel: false, ...limits })
      : new Agent(limits)
    return { request, dispatcher }
  })
  const exchange = async (url: URL, { method, headers, body, signal }: HttpRequest) => {
    const { request, dispatcher } = await connection()
    try {
      const reply = await request(url, {
        dispatcher,
        method,
        headers,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      })
      const content = Buffer.from(await reply.body.arrayBuffer())
      return { status: reply.statusCode, headers: headersOf(reply.headers), body: content }
    } catch (error) {
      signal?.throwIfAborted()
      if (isTooLarge(error)) throw tooLong(maxBytes)
      throw hasProxy ? proxyFailure(error) : error
    }
  }
  return {
    async send(first, request) {
      let url = first
      for (let redirects = 0; ; redirects++) {
        const reply = await exchange(url, request)
        const target = redirectTarget(reply, url)
        if (!target) return { ...reply, body: decompress(reply, maxBytes) }
        refuseRedirect(url, target, reply.status, request.hasSecrets, redirects)
        url = target
      }
    },
    async close() {
      if (isOpened) await (await connection()).dispatcher.destroy()
    },
  }
}

const environment = (name: string) => (process.env[name.toLowerCase()] ?? process.env[name] ?? '').trim()

/** The proxy address in a variable, with a default scheme; empty for none. Registers its password as a secret. */
function proxyAddress(name: string) {
  const value = environment(name)
  if (value === '') return ''
  const address = value.includes('://') ? value : `http://${value}`
  if (!URL.canParse(address) || !/^(?:https?|socks5?):$/.test(new URL(address).protocol))
    throw new UserError(`${name} is not the address of a proxy: write http://HOST:PORT`)
  const { username, password } = new URL(address)
  if (password !== '') {
    for (const part of [password, decodeURIComponent(password)]) knowSecret(part)
    knowSecret(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  }
  return address
}

function proxyFailure(error: unknown): Error {
  const [, status] = /proxy [^()]*\((\d{3})\)/i.exec(messageOf(error)) ?? []
  if (status === undefined)
    return new Error('with the proxy settings of HTTP_PROXY, HTTPS_PROXY and NO_PROXY', { cause: error })
  return new HttpFault(
    `the proxy of HTTP_PROXY or HTTPS_PROXY replied with status ${status}`,
    status === '407' ? 'give its user and password in the address' : 'check NO_PROXY and the proxy',
  )
}

function headersOf(rawHeaders: Readonly<Record<string, string | readonly string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(rawHeaders))
    for (const value of typeof values === 'string' ? [values] : values) headers.append(name, value)
  return headers
}

function redirectTarget({ status, headers }: HttpReply<Buffer>, from: URL): URL | undefined {
  const location = headers.get('location')
  if (status < 300 || status > 308 || location === null || !URL.canParse(location, from.href)) return undefined
  return new URL(location, from)
}

const mostRedirects = 5

function refuseRedirect(from: URL, to: URL, status: number, hasSecrets: boolean, redirects: number) {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname
  const refuse = (why: string, remedy: string): never => {
    throw new HttpFault(`status ${status}: the server redirects to ${to.origin}${to.pathname}, ${why}`, remedy)
  }
  // 302 and 303 lead to a page, mostly a login
  if (![301, 307, 308].includes(status)) refuse('a page', 'sign in there, or set the address to that of the API')
  if (!/^https?:$/.test(to.protocol) || (from.protocol === 'https:' && to.protocol === 'http:'))
    refuse('which is not encrypted', 'set the address to one with https')
  if (hasSecrets && from.origin !== to.origin && !isUpgrade)
    refuse('another server, which is sent no key', 'set the address to that if it is right')
  if (redirects >= mostRedirects) refuse(`after ${mostRedirects} other redirects`, 'check the address')
}

/** The decompressed body; some proxies use gzip without declaring it. */
function decompress({ headers, body }: HttpReply<Buffer>, maxOutputLength: number): Buffer {
  const encoding = (headers.get('content-encoding') ?? '').toLowerCase()
  const isZipped = (body[0] === 0x1f && body[1] === 0x8b) || encoding === 'deflate'
  try {
    if (isZipped) return unzipSync(body, { maxOutputLength })
    return encoding === 'br' ? brotliDecompressSync(body, { maxOutputLength }) : body
  } catch (error) {
    throw isTooLarge(error) ? tooLong(maxOutputLength) : new HttpFault('the compressed reply is broken')
  }
}

const isTooLarge = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_BUFFER_TOO_LARGE' || error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')

const tooLong = (maxBytes: number) =>
  new HttpFault(`the reply is longer than ${(maxBytes / 1e6).toLocaleString('en-US')} MB`)
