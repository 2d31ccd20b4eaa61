import http from 'node:http'
import https from 'node:https'
import type { ClientOptions } from 'openai'
import { CallError } from '../../calls/retry.ts'

type Fetch = NonNullable<ClientOptions['fetch']>

/**
 * A fetch for requests with a body of text, or a form with a file, over connections that are kept open. Node's own
 * gives up after 300 seconds whatever was asked for, and takes more processor time: 0.8 against 0.7 ms a call, 1.7
 * against 1.1 ms while it is being compiled. The response comes when its body is whole, so that a time-out holds for
 * all of it; a longer body than `maxReplyBytes` is a CallError.
 */
export function keepAliveFetch(maxReplyBytes: number): { fetch: Fetch; close: () => void } {
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
  for await (const part of incoming) {
    parts.push(part as Buffer)
    bytes += (part as Buffer).length
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
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(parts), { status, headers })
}
