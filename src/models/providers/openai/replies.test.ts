import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { messageOf } from '../../../errors.ts'
import { fakeServer, ordinaryReply, type Behaviour, type Hit } from '../../../test-support/servers/server.ts'
import type { CompletionRequest } from '../../provider.ts'
import { openai } from './openai.ts'

const resources: { close?(): Promise<void> }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const resource of resources.splice(0)) await resource.close?.()
})

const request: CompletionRequest = {
  task: 'answer',
  version: 1,
  input: null,
  reply: 'text',
  sample: 0,
  prompt: { messages: [{ role: 'user', content: 'when?' }] },
}

async function over(behave: (hit: Hit, index: number) => Behaviour | undefined, options: object = {}) {
  const server = await fakeServer({ behave })
  const provider = await openai.open(openai.options.parse({ model: 'm', baseUrl: server.url, ...options }), {
    cacheFolder: '',
  })
  resources.push(server, provider)
  const { signal } = new AbortController()
  return {
    server,
    ask: async () => provider.complete?.(request, signal),
    embed: async () => provider.embed?.(['a'], 'document', signal),
  }
}

const raw = (body: string | Buffer, type: string, more: object = {}): Behaviour => ({ body, type, ...more })

const redirect = (status: number, location: string): Behaviour =>
  raw('', 'text/plain', { status, headers: { location } })

/** A part of a reply that is a list of parts. */
const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }

describe('a reply is read', () => {
  test.each<[string, Behaviour]>([
    ['parts of output', { reply: ['text', 'output_text'].map((type, at) => ({ type, text: ['In ', '1871'][at] })) }],
    ['parts that are texts', { reply: ['In ', '1871'] }],
    ['parts of reasoning before the text', { reply: [thinking, { type: 'reasoning', text: 'hm' }, 'In 1871'] }],
    ['reasoning that holds the answer', { reply: null, message: { reasoning_content: 'hm\n</think>\n\nIn 1871' } }],
    ['reasoning in another field', { reply: 'In 1871', message: { reasoning: 'hm' } }],
  ])('from %s', async (_name, behaviour) => {
    const { ask } = await over(() => behaviour)
    expect(await ask()).toMatchObject({ text: 'In 1871', finish: 'stop' })
  })

  const event = (data: unknown): string => `data: ${JSON.stringify(data)}`
  const delta = (content: unknown, more: object = {}) => event({ choices: [{ index: 0, delta: { content }, ...more }] })
  const usage = event({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } })
  const stop = delta(undefined, { finish_reason: 'stop' })
  const first = event({ choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'hm' } }] })
  const completeEvent = event({ choices: [{ message: { content: 'In 1871' }, finish_reason: 'stop' }] })

  test.each<[string, string, string?]>([
    ['deltas', [first, delta('In '), delta('1871'), stop, usage, 'data: [DONE]', ''].join('\n\n')],
    ['lines as in Windows, comments', [': ping', `event: x\r\n${delta('In 1871')}`, stop].join('\r\n\r\n')],
    ['parts of text', [delta([{ type: 'text', text: 'In 1871' }]), stop].join('\n\n')],
    ['the whole reply', `${completeEvent}\n\ndata: [DONE]\n\n`],
    ['a wrong type', [delta('In 1871'), stop].join('\n\n'), 'application/json'],
  ])('from an event stream: %s', async (_name, body, type = 'text/event-stream') => {
    const { ask } = await over(() => raw(body, type))
    const counts = body.includes(usage) ? { promptTokens: 5, completionTokens: 2 } : {}
    expect(await ask()).toEqual({ text: 'In 1871', finish: 'stop', ...counts })
  })

  const replyJson = (hit: Hit): string => JSON.stringify(ordinaryReply(hit, 'In 1871'))
  test.each<[string, (text: string) => Buffer, string]>([
    ['gzip', (text) => gzipSync(text), 'gzip'],
    ['gzip that is not named', (text) => gzipSync(text), ''],
    ['deflate', (text) => deflateSync(text), 'deflate'],
    ['Brotli', (text) => brotliCompressSync(text), 'br'],
    ['a byte order mark', (text) => Buffer.from(`\uFEFF${text}`), ''],
  ])('through %s', async (_name, encode, encoding) => {
    const headers = encoding === '' ? {} : { 'content-encoding': encoding }
    const { ask } = await over((hit) => raw(encode(replyJson(hit)), 'application/json', { headers }))
    expect(await ask()).toMatchObject({ text: 'In 1871' })
  })

  test.each([301, 307, 308])('after status %i to another path, with its key', async (status) => {
    const { ask, server } = await over(
      ({ path }) => (path.startsWith('/v2') ? undefined : redirect(status, '/v2/chat/completions')),
      { apiKey: 'sk-1' },
    )
    expect(await ask()).toMatchObject({ text: 'echo: when?' })
    expect(server.hits.at(-1)).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer sk-1' } })
  })

  test('after a redirect to another server, unless it would be sent a key', async () => {
    const otherServer = await fakeServer()
    resources.push(otherServer)
    const away = () => redirect(307, `${otherServer.url}/chat/completions`)
    expect(await (await over(away)).ask()).toMatchObject({ text: 'echo: when?' })
    const { ask } = await over(away, { apiKey: 'sk-1' })
    await expect(ask()).rejects.toThrow(
      `redirects to ${otherServer.url}/chat/completions, another server, which is sent no key`,
    )
    expect(otherServer.hits).toHaveLength(1)
  })
})

describe('reports unreadable replies with a remedy', () => {
  const page = '<!DOCTYPE html><html><head><title>Sign in –\n Acme</title></head><body>hello</body></html>'
  const stream = (data: string) => raw(`data: ${data}\n\n`, 'text/event-stream')
  test.each<[string, Behaviour, RegExp, string?]>([
    ['a page to sign in', raw(page, 'text/html'), /^the server sent an HTML page \("Sign in – Acme"\)/, 'html'],
    ['a page of an error', raw(page, 'text/html', { status: 502 }), /^502 an HTML page \("Sign in – Acme"\)$/],
    [
      'a redirect to a page',
      redirect(302, 'https://login.example/?next=1'),
      /^status 302: the server redirects to https:\/\/login.example\/, a page$/,
    ],
    ['a redirect in a circle', redirect(307, '/v1/chat/completions'), /after 5 other redirects/],
    ['reasoning alone', { reply: null, message: { reasoning_content: 'Okay.' } }, /and no content$/, 'reasoning'],
    ['parts of reasoning alone', { reply: [thinking] }, /has reasoning and no content$/, 'reasoning'],
    ['a stream that breaks off', stream('{"choices":[{"delta":{"content":"In"}}]}'), /the server breaks off/],
    ['a stream that holds an error', stream('{"error":{"message":"overloaded","code":503}}'), /^503 overloaded/],
    ['an empty body', raw('', 'application/json'), /malformed/],
    ['text', raw('hello', 'text/plain'), /malformed: it is not JSON; check baseUrl$/],
    [
      'another API',
      raw('{"message":{"content":"x"},"done":true}', 'application/json'),
      /at "choices".*its fields are message, done.*check baseUrl$/,
    ],
    ['broken gzip', raw(gzipSync('{"a": 1}').subarray(0, 20), 'application/json'), /the compressed reply is broken/],
  ])('%s', async (_name, behaviour, message, unusable) => {
    const { ask } = await over(() => behaviour)
    const error = await ask().catch((failure: unknown) => failure)
    expect(messageOf(error)).toMatch(message)
    if (unusable !== undefined) expect(error).toMatchObject({ unusable, remedy: expect.any(String) as string })
  })

  test('reasoning that fills the reply is a reply that ended at its limit', async () => {
    const { ask } = await over(() => ({ reply: null, finish: 'length', message: { reasoning_content: 'Okay' } }))
    expect(await ask()).toMatchObject({ text: '', finish: 'length' })
  })
})

/** A proxy of this computer, of requests as they are and of tunnels, and what it was asked for. */
async function fakeProxy(status = 200) {
  const requests: { target: string; authorization: string | undefined }[] = []
  const note = ({ method, url, headers }: IncomingMessage) =>
    requests.push({ target: `${method ?? ''} ${url ?? ''}`, authorization: headers['proxy-authorization'] })
  const server = createServer((incoming, response) => {
    note(incoming)
    if (status !== 200) return response.writeHead(status).end()
    const { method = 'GET', headers, url = '' } = incoming
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    return incoming.on('end', () => {
      const { 'content-type': type = '' } = headers
      const body = Buffer.concat(pieces)
      void fetch(url, { method, headers: { 'content-type': type }, body }).then(async (reply) =>
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text()),
      )
    })
  })
  server.on('connect', (incoming, socket) => {
    note(incoming)
    const [host = '', port] = (incoming.url ?? '').split(':')
    const to = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      to.pipe(socket).pipe(to)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  resources.push({ close })
  return { requests, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a proxy', () => {
  const throughProxy = (proxy: string, noProxy = '') => {
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'HTTPS_PROXY']) vi.stubEnv(name, undefined)
    vi.stubEnv('HTTP_PROXY', proxy)
    vi.stubEnv('NO_PROXY', noProxy)
  }

  test('from the environment is used with its user and password, but not for hosts in NO_PROXY', async () => {
    const { requests, host } = await fakeProxy()
    const authorization = `Basic ${Buffer.from('me:pass word').toString('base64')}`
    const urls: string[] = []
    for (const noProxy of ['', 'example.com, 127.0.0.1']) {
      throughProxy(`http://me:pass%20word@${host}`, noProxy)
      const { ask, server } = await over(() => undefined)
      expect(await ask()).toMatchObject({ text: 'echo: when?' })
      urls.push(server.url)
    }
    expect(requests).toEqual([{ target: `POST ${urls[0] ?? ''}/chat/completions`, authorization }])
  })

  test('is reported without its password when it refuses or is down', async () => {
    const { host } = await fakeProxy(407)
    throughProxy(`http://me:secret-word@${host}`)
    const failure = await (await over(() => undefined)).ask().catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: 'the proxy of HTTP_PROXY or HTTPS_PROXY replied with status 407',
      remedy: 'give its user and password in the address',
    })
    throughProxy('http://me:secret-word@127.0.0.1:9')
    const down = await (await over(() => undefined)).ask().catch((error: unknown) => error)
    expect(messageOf(down)).toMatch(/with the proxy settings of HTTP_PROXY, HTTPS_PROXY and NO_PROXY: .*ECONNREFUSED/)
    expect(`${messageOf(failure)} ${messageOf(down)} ${JSON.stringify([failure, down])}`).not.toContain('secret-word')
  })

  test('with an invalid address is reported by its variable only', async () => {
    throughProxy('ftp://me:secret-word@proxy')
    await expect(over(() => undefined)).rejects.toThrow(
      /^HTTP_PROXY is not the address of a proxy: write http:\/\/HOST:PORT$/,
    )
  })
})
