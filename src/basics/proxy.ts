import { messageOf, UserError } from '../errors.ts'
import { headersOf, HttpFault, type HttpReply, type HttpRequest } from './http-messages.ts'
import { once } from './memoise.ts'
import { knowSecret } from './secrets.ts'

/** A client of the proxies that the environment names. */
export interface ProxyClient {
  send(url: URL, request: HttpRequest): Promise<HttpReply<AsyncIterable<unknown>>>
  close(): Promise<void>
}

/**
 * Requests by HTTP_PROXY and HTTPS_PROXY of the environment but for the hosts of NO_PROXY; undefined without a proxy.
 * The password of a proxy stays secret. Throws UserError for an address that is none.
 */
export function openProxy(environment: NodeJS.ProcessEnv = process.env): ProxyClient | undefined {
  const valueOf = (name: string): string => (environment[name.toLowerCase()] ?? environment[name] ?? '').trim()
  const [httpProxy = '', httpsProxy = ''] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => address(name, valueOf(name)))
  if (httpProxy === '' && httpsProxy === '') return undefined
  const noProxy = valueOf('NO_PROXY')
  const opened = once(async () => {
    // loaded where there is a proxy alone, since it takes 0.1 s
    const { EnvHttpProxyAgent, request } = await import('undici')
    // plain http goes without a tunnel, which many proxies refuse to other ports than 443; we end attempts ourselves
    const limits = { proxyTunnel: false, headersTimeout: 0, bodyTimeout: 0 }
    return { request, dispatcher: new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, ...limits }) }
  })
  let isOpened = false
  return {
    async send(url, { method, headers, body, signal }) {
      isOpened = true
      const { request, dispatcher } = await opened()
      try {
        const reply = await request(url, {
          dispatcher,
          method,
          headers,
          ...(body !== undefined && { body }),
          ...(signal && { signal }),
        })
        return { status: reply.statusCode, headers: headersOf(reply.headers), body: reply.body }
      } catch (error) {
        signal?.throwIfAborted()
        const [, status] = /proxy [^()]*\((\d{3})\)/i.exec(messageOf(error)) ?? []
        if (status !== undefined)
          throw new HttpFault(
            `the proxy of HTTP_PROXY or HTTPS_PROXY replied with status ${status}`,
            status === '407' ? 'give its user and password in the address' : 'check NO_PROXY and the proxy',
          )
        throw new Error('with the proxy settings of HTTP_PROXY, HTTPS_PROXY and NO_PROXY', { cause: error })
      }
    },
    async close() {
      if (isOpened) await (await opened()).dispatcher.destroy()
    },
  }
}

/** An address as it was given, or with the scheme that it lacks. */
function address(name: string, given: string): string {
  if (given === '') return ''
  const url = given.includes('://') ? given : `http://${given}`
  if (!URL.canParse(url) || !/^(?:https?|socks5?):$/.test(new URL(url).protocol))
    throw new UserError(`${name} is not the address of a proxy: write http://HOST:PORT`)
  const { username, password } = new URL(url)
  if (password !== '') {
    for (const part of [password, decodeURIComponent(password)]) knowSecret(part)
    knowSecret(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  }
  return url
}
