import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { gembench } from '../test-support/cli.ts'
import { tinyProject } from '../test-support/tiny.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import type { Chunk } from '../types.ts'
import { http } from './http.ts'

/** What the server does with the next requests; then it gives one passage. */
let behaviours: ((body: unknown) => Response | 'hang' | 'reset')[] = []
let hits: { method: string | undefined; headers: IncomingMessage['headers']; body: unknown }[] = []
const usual = (): Response => Response.json({ passages: [{ text: 'Ada Vale kept the lighthouse.', score: 2 }] })

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString() || 'null')
    hits.push({ method: request.method, headers: request.headers, body })
    if (request.method === 'OPTIONS') return response.writeHead(405).end()
    const reply = (behaviours.shift() ?? usual)(body)
    if (reply === 'reset') return request.socket.destroy()
    if (reply === 'hang') return undefined
    return void reply
      .text()
      .then((text) => response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(text))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`
beforeEach(() => {
  behaviours = []
  hits = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

testMethod(http, { options: { url } })

const texts = ['Ada Vale kept the lighthouse.', ' Edric Sloe rang the bell.', 'Maud baked bread.']
const chunks = texts.map((text, position): Chunk => {
  const [document, start] = position < 2 ? ['a', position === 0 ? 0 : 29] : ['b', 0]
  const end = start + text.length
  return { id: `${document}:${position}`, documentId: document, position, start, end, text, tokens: 6 }
})
const replies = (...passages: unknown[]) => behaviours.push(() => Response.json({ passages }))
/** An index of the chunks by the server. */
async function asked(given: object = {}) {
  const index = await http.index(chunks, fakeModels(), http.options.parse({ url, ...given }))
  return {
    retrieve: (text: string, passages: number) =>
      index.retrieve({ id: 'q', text }, { passages, tokens: 99 }, fakeModels()),
  }
}

describe('passages', () => {
  test('name a chunk or a document, or are located by text; a note reports the rest', async () => {
    replies(
      { id: 'a:1', text: ' Edric Sloe rang the bell.', score: 9 },
      { id: 'b', text: 'baked bread', score: 8, more: true },
      { id: 7, text: 'lighthouse. Edric', score: 8 },
      { text: 'Of another corpus.', score: 1 },
    )
    const { retrieve } = await asked({ headers: { 'x-key': 'k' } })
    expect(await retrieve('Who rang?', 4)).toEqual([
      {
        text: ' Edric Sloe rang the bell.',
        score: 9,
        kind: 'chunk',
        from: ['a:1'],
        why: { fallback: 'passages that stand in no document of the corpus' },
      },
      {
        text: 'baked bread',
        score: 8,
        kind: 'chunk',
        from: ['b:2'],
        spans: [{ documentId: 'b', start: 5, end: 16 }],
      },
      {
        text: 'lighthouse. Edric',
        score: 8,
        kind: 'chunk',
        from: ['a:0', 'a:1'],
        spans: [{ documentId: 'a', start: 18, end: 35 }],
      },
      { text: 'Of another corpus.', score: 1, kind: 'chunk', from: [] },
    ])
    expect(hits.at(-1)).toMatchObject({
      method: 'POST',
      headers: { 'x-key': 'k', 'content-type': 'application/json' },
      body: { question: 'Who rang?', k: 4 },
    })
  })

  test('without scores keep their order, up to the requested number', async () => {
    replies(...texts.map((text) => ({ text, score: null })))
    const { retrieve } = await asked()
    expect((await retrieve('Who?', 2)).map(({ score, from }) => [score, from])).toEqual([
      [1, ['a:0']],
      [0.5, ['a:1']],
    ])
  })

  test.each<[string, unknown, RegExp]>([
    ['no text', [{ id: 'a' }], /passage number 1: "text" is missing/],
    ['an empty text', [{ text: ' ' }], /passage number 1: "text" is empty/],
    ['a score in words', [{ text: 'x', score: 'high' }], /passage number 1: "score" must not be "high"/],
    ['some scores', [{ text: 'x', score: 1 }, { text: 'y' }], /passage number 2 has no score, and others have one/],
    ['a passage twice', [{ text: 'x' }, { text: 'y' }, { text: 'x' }], /passage number 3 is there already/],
    ['an id of another kind', [{ text: 'x', id: {} }], /passage number 1: "id" must not be an object/],
    ['null', [null], /passage number 1: it must not be null/],
    ['no list', { text: 'x' }, /replied with no JSON object that has a list "passages"/],
  ])('reports a failed question: %s', async (_, passages, message) => {
    behaviours.push(() => Response.json({ passages }))
    const { retrieve } = await asked()
    const failure = await retrieve('Who?', 5).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelError)
    expect(failure).toMatchObject({ kind: 'reply', message: expect.stringMatching(message) as string })
  })
})

describe('the server', () => {
  test('is retried after a temporary error only', async () => {
    const busy = () => new Response('busy', { status: 503, headers: { 'retry-after': '0' } })
    behaviours.push(busy, () => 'reset')
    const { retrieve } = await asked()
    expect(await retrieve('Who?', 1)).toHaveLength(1)
    expect(hits.filter(({ method }) => method === 'POST')).toHaveLength(3)
    behaviours.push(busy, busy, busy)
    await expect(retrieve('Who?', 1)).rejects.toThrow(`${url}: status 503: busy`)
    behaviours.push(() => new Response('no such index', { status: 404 }))
    await expect(retrieve('Who?', 1)).rejects.toThrow(`${url}: status 404: no such index`)
    behaviours.push(() => new Response(null, { status: 302, headers: { location: 'http://example.com' } }))
    await expect(retrieve('Who?', 1)).rejects.toThrow(`${url}: status 302`)
    expect(hits.filter(({ method }) => method === 'POST')).toHaveLength(8)
  })

  test('fails the question after a timeout or too long a reply', async () => {
    for (let attempts = 0; attempts < 3; attempts++) behaviours.push(() => 'hang')
    const slow = await asked({ timeoutSeconds: 0.2 })
    await expect(slow.retrieve('Who?', 1)).rejects.toMatchObject({ kind: 'timeout' })
    behaviours.push(() => new Response('x'.repeat(16_000_001)))
    const { retrieve } = await asked()
    await expect(retrieve('Who?', 1)).rejects.toThrow('the reply is longer than 16 MB')
  })

  test('is followed through redirects on its own host; headers never go to another host', async () => {
    const moved = (location: string) => () => new Response(null, { status: 307, headers: { location } })
    behaviours.push(moved('/search/'))
    const { retrieve } = await asked({ headers: { 'x-key': 'k' } })
    expect(await retrieve('Who?', 1)).toHaveLength(1)
    expect(hits.at(-1)).toMatchObject({ method: 'POST', headers: { 'x-key': 'k' }, body: { question: 'Who?' } })
    behaviours.push(moved('http://127.0.0.1:9/search'))
    await expect(retrieve('Who?', 1)).rejects.toThrow('redirects to http://127.0.0.1:9/search, another server')
  })

  test('fails the index before any question if it is down', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => closed.once('listening', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const down = asked({ url: `http://127.0.0.1:${port}/` })
    await expect(down).rejects.toThrow(`http://127.0.0.1:${port}/: cannot be reached (ECONNREFUSED)`)
  })
})

test.each([
  [
    { headers: { authorization: 'Bearer k' }, url: 'http://example.com/' },
    /http: the headers of the config would go unencrypted to http:\/\/example\.com/,
  ],
  [{}, /url is missing: give the address of the server/],
  [{ url: 'ftp://example.com/' }, /must be an address that begins with http/],
  [{ url: 'http://me:secret@example.com/' }, /must not contain a user name or password/],
])('rejects %j before a run', async (given, message) => {
  const project = await tinyProject({ methods: [{ use: 'http', ...given }] })
  expect(await gembench(project, 'validate', '-c', 'tiny.yaml')).toMatchObject({
    code: 2,
    err: expect.stringMatching(message) as string,
  })
})

test('counts failures, and notes in the table that the cost of the server is unknown', async () => {
  behaviours.push(() => new Response('no', { status: 400 }))
  const project = await tinyProject({ methods: ['bm25', { use: 'http', label: 'mine', url }] })
  const { code, out } = await gembench(project, 'run', '-c', 'tiny.yaml', '--full')
  expect(code).toBe(3)
  expect(out).toContain(`${url}: status 400: no`)
  expect(out).toContain('Indexes or extractions of others, whose calls, tokens and cost are not known: mine 1')
  const planned = await gembench(project, 'plan', '-c', 'tiny.yaml')
  expect(planned.out).toMatch(/^mine +index +unknown/m)
})
