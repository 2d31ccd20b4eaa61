import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeModels } from '../../testing/fake-models.ts'
import { startServer } from './server.ts'

let server: Awaited<ReturnType<typeof startServer>>
let own: string
beforeAll(async () => {
  server = await startServer()
  own = server.begin(7, {
    models: fakeModels({ replies: { chat: () => 'Good day.', 'chat-json': () => ({ a: 1 }) } }),
    role: 'query',
  })
})
afterAll(() => server.close())

const messages = [{ role: 'user', content: 'Hello' }]

async function post(path: string, body: unknown, { base = own, token = server.token } = {}) {
  const response = await fetch(`${base}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const json = ({ text }: { readonly text: string }): Record<string, unknown> =>
  JSON.parse(text) as Record<string, unknown>

test('answers a chat and ignores fields that the config sets', async () => {
  const plain = json(await post('chat/completions', { model: 'complete', messages }))
  expect(plain).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
  })
  const other = { model: 'gpt-9', temperature: 2, top_p: 0.1, seed: 3, n: 1, tools: [], stream: false, max_tokens: 9 }
  expect(json(await post('chat/completions', { ...other, messages }))).toEqual(plain)
  const parts = [{ role: 'developer', content: [{ type: 'text', text: 'Hello' }] }]
  expect(json(await post('chat/completions', { messages: parts }))).toEqual(plain)
})

test('returns JSON replies, by object or by schema', async () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
  for (const response_format of [{ type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'x', schema } }])
    expect(json(await post('chat/completions', { messages, response_format }))).toMatchObject({
      choices: [{ message: { content: '{"a":1}' } }],
    })
})

test('embeds texts as numbers or as base64', async () => {
  const [floats, coded] = [
    await post('embeddings', { input: ['a b', 'c'] }),
    await post('embeddings', { input: 'a b', encoding_format: 'base64' }),
  ]
  const { data } = json(floats) as { data: { embedding: number[] }[] }
  const {
    data: [one],
  } = json(coded) as { data: { embedding: string }[] }
  expect(data).toHaveLength(2)
  const bytes = Buffer.from(one?.embedding ?? '', 'base64')
  expect(data[0]?.embedding).toEqual([...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)])
})

test.each([
  ['chat/completions', { messages, tools: [{}] }, 400, 'unknown key "tools"'],
  ['chat/completions', { messages, stop: ['x'] }, 400, 'unknown key "stop"'],
  ['chat/completions', { messages, stream: true }, 400, 'unknown key "stream"'],
  ['chat/completions', { messages, n: 2 }, 400, '"n" must not be 2'],
  ['chat/completions', { messages: [] }, 400, '"messages" is missing'],
  ['chat/completions', { messages: [{ role: 'tool', content: 'x' }] }, 400, '"messages[0].role" must not be "tool"'],
  [
    'chat/completions',
    { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
    400,
    '"messages[0].content" must not be a list',
  ],
  ['chat/completions', { messages, max_tokens: 0.5 }, 400, '"max_tokens" must not be 0.5'],
  ['chat/completions', { messages, response_format: { type: 'xml' } }, 400, '"response_format" must not be'],
  ['chat/completions', 'no json', 400, 'the body is no JSON object'],
  ['embeddings', { input: [[1, 2]] }, 400, '"input" must not be a list'],
  ['embeddings', { input: 'x', dimensions: 8 }, 400, 'unknown key "dimensions"'],
  ['images', {}, 404, 'there is no POST /7/v1/images'],
])('%s %j is refused in one sentence', async (path, body, status, said) => {
  const refused = await post(path, body)
  expect(refused.status).toBe(status)
  expect((json(refused)['error'] as { message: string }).message).toContain(said)
})

test('rejects a wrong key and a request that is not pending', async () => {
  expect((await post('embeddings', { input: 'x' }, { token: 'sk-other' })).status).toBe(401)
  expect((await post('embeddings', { input: 'x' }, { base: own.replace('/7/', '/6/') })).status).toBe(410)
})

test('attributes calls without a request id to the only pending request', async () => {
  const base = server.baseUrl
  expect((await post('embeddings', { input: 'x' }, { base })).status).toBe(200)
  server.begin(8, { models: fakeModels(), role: 'query' })
  expect((await post('embeddings', { input: 'x' }, { base })).status).toBe(400)
  server.end(8)
  expect((await post('embeddings', { input: 'x' }, { base })).status).toBe(200)
})
