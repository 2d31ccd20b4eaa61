import http from 'node:http'
import https from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { headersOf, HttpFault, type HttpReply, type HttpRequest } from './http-messages.ts'
import { openProxy } from './proxy.ts'

export interface HttpClient {
  /** Throws HttpFault, or what Node throws where the connection fails. */
  readonly send: (url: URL, request: HttpRequest) => Promise<HttpReply<Buffer>>
  readonly close: () => Promise<void>
}

/**
 * Requests over kept connections, by the proxy that the environment names: Node's own fetch gives up after 300 seconds,
 * and takes more processor time (0.8 against 0.7 ms a call). A reply longer than `maxBytes` is an HttpFault. Redirects
 * that keep the method are followed. Throws UserError for an address of a proxy that is none.
 */
export function openHttp(maxBytes: number): HttpClient {
  const proxy = openProxy()
  const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) }

  const direct = (url: URL, { method, headers, body, signal }: HttpRequest): Promise<HttpReply<http.IncomingMessage>> =>
    new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:'
      const agent = agents[isSecure ? 'https:' : 'http:']
      const options = { method, headers, agent, ...(signal && { signal }) }
      const request = (isSecure ? https : http).request(url, options, (incoming) => {
        const { statusCode: status = 500, headersDistinct } = incoming
        resolve({ status, headers: headersOf(headersDistinct), body: incoming })
      })
      request.on('error', reject)
      request.end(body)
    })

  return {
    async send(first, request) {
      let url = first
      for (let followed = 0; ; followed++) {
        const { body, ...head } = await (proxy ? proxy.send(url, request) : direct(url, request))
        const reply = { ...head, body: await collected(body, maxBytes) }
        const target = redirectOf(reply, url)
        if (!target) return { ...reply, body: decompressed(reply, maxBytes) }
        refuseRedirect(url, target, reply.status, request.hasSecrets, followed)
        url = target
      }
    },
    async close() {
      for (const agent of Object.values(agents)) agent.destroy()
      await proxy?.close()
    },
  }
}

/** The bytes of a body; leaving the loop ends the connection. */
async function collected(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body as AsyncIterable<Uint8Array>) {
    parts.push(part)
    bytes += part.length
    if (bytes > maxBytes) throw tooLong(maxBytes)
  }
  return Buffer.concat(parts)
}

/** Where a reply sends the request to. */
function redirectOf({ status, headers }: HttpReply<Buffer>, from: URL): URL | undefined {
  const location = headers.get('location')
  if (status < 300 || status > 308 || location === null || !URL.canParse(location, from.href)) return undefined
  return new URL(location, from)
}

const mostRedirects = 5

/** Throws HttpFault for a redirect that is not followed: to a page, to plain http, or with a key to another server. */
function refuseRedirect(from: URL, to: URL, status: number, hasSecrets: boolean, followed: number): void {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname
  const address = `${to.origin}${to.pathname}`
  const refuse = (why: string, remedy: string): never => {
    throw new HttpFault(`status ${status}: the server redirects to ${address}, ${why}`, remedy)
  }
  // with 302 and 303 a client asks for a page, mostly one to sign in
  if (![301, 307, 308].includes(status)) refuse('a page', 'sign in there, or set the address to that of the API')
  if (!/^https?:$/.test(to.protocol) || (from.protocol === 'https:' && to.protocol === 'http:'))
    refuse('which is not encrypted', 'set the address to one with https')
  if (hasSecrets && from.origin !== to.origin && !isUpgrade)
    refuse('another server, which is sent no key', 'set the address to that if it is right')
  if (followed >= mostRedirects) refuse(`after ${mostRedirects} other redirects`, 'check the address')
}

/** No server nests more compressions. */
const mostCompressions = 4

/** The body without compression, which some servers and proxies leave unnamed, apply twice, or name without it. */
function decompressed({ headers, body }: HttpReply<Buffer>, maxBytes: number): Buffer {
  const options = { maxOutputLength: maxBytes }
  const codings = (headers.get('content-encoding') ?? '').toLowerCase()
  let bytes = body
  try {
    if (/\bbr\b/.test(codings)) bytes = brotliDecompressSync(bytes, options)
    else if (/\bdeflate\b/.test(codings)) bytes = (bytes[0] === 0x78 ? inflateSync : inflateRawSync)(bytes, options)
  } catch (error) {
    if (isTooLarge(error)) throw tooLong(maxBytes)
    // named, but not compressed
  }
  try {
    for (let depth = 0; depth < mostCompressions && bytes[0] === 0x1f && bytes[1] === 0x8b; depth++)
      bytes = gunzipSync(bytes, options)
  } catch (error) {
    throw isTooLarge(error) ? tooLong(maxBytes) : new HttpFault('the compressed reply is broken')
  }
  return bytes
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const tooLong = (maxBytes: number): HttpFault =>
  new HttpFault(`the reply is longer than ${(maxBytes / 1e6).toLocaleString('en-US')} MB`)
