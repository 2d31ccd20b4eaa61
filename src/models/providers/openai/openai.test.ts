import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { knowSecret } from '../../../basics/secrets.ts'
import { UserError } from '../../../errors.ts'
import {
  fakeServer,
  type Behaviour,
  type FakeServer,
  type FakeServerOptions,
  type Hit,
} from '../../../test-support/server.ts'
import { formOf } from '../../calls/complete-with-repair.ts'
import { retry, type Send } from '../../calls/retry.ts'
import type { CompletionRequest, Provider } from '../../provider.ts'
import { openai } from './openai.ts'

const servers: FakeServer[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const open = (options: Record<string, unknown>): Promise<Provider> =>
  openai.open(openai.options.parse({ model: 'm', ...options }), { cacheFolder: '' })

/** A server that behaves so, the provider opened on it, and a way to it that repeats twice without waiting. */
async function over(behave: FakeServerOptions['behave'] = () => undefined, options: Record<string, unknown> = {}) {
  const server = await fakeServer({ behave })
  servers.push(server)
  const provider = await open({ baseUrl: server.url, ...options })
  const send = retry({ retries: 2, timeoutSeconds: 30, signal: new AbortController().signal, firstWaitSeconds: 0 })
  return { server, provider, ask: asking(provider, send), embed: embedding(provider, send) }
}

const asking =
  (provider: Provider, send: Send) =>
  (more: Partial<CompletionRequest> = {}) =>
    send(async (signal) => provider.complete?.({ ...request, ...more }, signal))

const embedding =
  (provider: Provider, send: Send) =>
  (texts: readonly string[], role: 'query' | 'document' = 'document') =>
    send(async (signal) => provider.embed?.(texts, role, signal))

const request: CompletionRequest = {
  task: 'answer',
  version: 1,
  input: null,
  prompt: {
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'when?' },
    ],
  },
  reply: 'text',
  sample: 0,
}

const asJson = (output: z.ZodType, task = 'list'): Partial<CompletionRequest> => ({
  task,
  reply: 'json',
  schema: formOf(output).schema,
})

/** The first replies as told, then ordinary ones. */
const inTurn =
  (...behaviours: Behaviour[]) =>
  (_hit: Hit, index: number) =>
    behaviours[index]

describe('a question', () => {
  test('is sent with what the config says, and the reply comes with its counts', async () => {
    const { server, ask } = await over(undefined, { topP: 0.5, body: { top_k: 3 }, headers: { 'x-team': 'blue' } })
    expect(await ask({ sample: 2 })).toEqual({
      text: 'echo: when?',
      finish: 'stop',
      promptTokens: 11,
      completionTokens: 3,
    })
    expect(server.hits).toMatchObject([{ path: '/v1/chat/completions', headers: { 'x-team': 'blue' } }])
    expect(server.hits[0]?.body).toEqual({
      model: 'm',
      messages: request.prompt.messages,
      max_tokens: 512,
      temperature: 0,
      top_p: 0.5,
      seed: 44,
      top_k: 3,
    })
  })

  test('leaves out what is null', async () => {
    const { server, ask } = await over(undefined, { temperature: null, seed: null })
    await ask()
    expect(server.hits[0]?.body).toEqual({ model: 'm', messages: request.prompt.messages, max_tokens: 512 })
  })

  test('that a task draws in its own way has its temperature and another seed, unless the config sends none', async () => {
    const prompt = { ...request.prompt, sampling: { temperature: 0.5, variant: 3 } }
    const { server, ask } = await over()
    await ask({ prompt, sample: 1 })
    expect(server.hits[0]?.body).toMatchObject({ temperature: 0.5, seed: 46 })
    const plain = await over(undefined, { temperature: null, seed: null })
    await plain.ask({ prompt })
    expect(Object.keys(plain.server.hits[0]?.body ?? {})).toEqual(['model', 'messages', 'max_tokens'])
  })

  test.each([
    [9, 512],
    [600, 600],
  ])('allows what the task needs (%i) or the config gives, whichever is more: %i', async (needed, allowed) => {
    const { server, ask } = await over()
    await ask({ prompt: { ...request.prompt, maxTokens: needed } })
    expect(server.hits[0]?.body).toMatchObject({ max_tokens: allowed })
  })

  test.each([
    [9, 9],
    [600, 600],
  ])('that caps its reply is allowed %i tokens, whatever the config gives: %i', async (most, allowed) => {
    const { server, ask } = await over()
    await ask({ capped: true, prompt: { ...request.prompt, maxTokens: most } })
    expect(server.hits[0]?.body).toMatchObject({ max_tokens: allowed })
  })

  test('to be repaired holds the bad reply and what is wrong with it', async () => {
    const { server, ask } = await over()
    await ask({ repair: { reply: 'prose', error: 'no list' } })
    expect(server.hits[0]?.body['messages']).toEqual([
      ...request.prompt.messages,
      { role: 'assistant', content: 'prose' },
      { role: 'user', content: expect.stringContaining('no list') as string },
    ])
  })

  test.each<[string, Behaviour, object]>([
    ['length', { reply: 'cut', finish: 'length' }, { text: 'cut', finish: 'length' }],
    ['filter', { reply: null, finish: 'content_filter' }, { text: '', finish: 'filter' }],
    ['refusal', { reply: null, message: { refusal: 'no' } }, { text: 'no', finish: 'filter' }],
    ['reasoning apart', { reply: 'yes', message: { reasoning_content: 'hm' } }, { text: 'yes', finish: 'stop' }],
    ['no text', { reply: null }, { text: '', finish: 'stop' }],
    ['an unknown ending', { reply: 'x', finish: 'eos' }, { text: 'x', finish: 'stop' }],
  ])('ends by %s', async (_name, behaviour, expected) => {
    const { ask } = await over(() => behaviour)
    expect(await ask()).toMatchObject(expected)
  })

  test.each([null, {}, { prompt_tokens: null, completion_tokens: 'many' }])('has no counts in %j', async (usage) => {
    const { ask } = await over(() => ({ reply: 'x', usage }))
    expect(await ask()).toEqual({ text: 'x', finish: 'stop' })
  })
})

describe('structured output', () => {
  const list = z.array(z.object({ name: z.string() }))

  test('wraps a list in an object and closes it', async () => {
    const { server, ask } = await over()
    await ask(asJson(list, 'names of things'))
    expect(server.hits[0]?.body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'names_of_things',
        strict: true,
        schema: {
          type: 'object',
          required: ['items'],
          additionalProperties: false,
          properties: {
            items: {
              type: 'array',
              items: {
                type: 'object',
                properties: { name: { type: 'string' } },
                required: ['name'],
                additionalProperties: false,
              },
            },
          },
        },
      },
    })
  })

  test('is not strict where a property may be absent', async () => {
    const { server, ask } = await over()
    await ask(asJson(z.object({ a: z.string(), b: z.string().optional() })))
    expect(server.hits[0]?.body['response_format']).toMatchObject({
      json_schema: { strict: false, schema: { required: ['a'] } },
    })
  })

  test.each([400, 404, 422])('a server that refuses it with %i is asked without, from then on', async (status) => {
    const { server, ask } = await over(({ body }) =>
      body['response_format']
        ? { status, error: { message: 'response_format json_schema is not supported' } }
        : undefined,
    )
    for (const task of ['one', 'one', 'two'])
      expect(await ask(asJson(list, task))).toMatchObject({ text: 'echo: when?' })
    expect(server.hits.map(({ body }) => 'response_format' in body)).toEqual([true, false, false, true, false])
  })

  test('another complaint is no reason to ask without it', async () => {
    const { server, ask } = await over(() => ({ status: 400, error: { message: 'no such model' } }))
    await expect(ask(asJson(list))).rejects.toMatchObject({ kind: 'server', message: '400 no such model' })
    expect(server.hits).toHaveLength(1)
  })

  test.each([
    ['none', list, undefined],
    ['json', list, undefined],
    ['json', z.object({ a: z.string() }), { type: 'json_object' }],
  ])('%s asks for what the server knows', async (structured, output, format) => {
    const { server, ask } = await over(undefined, { structured })
    await ask(asJson(output))
    expect(server.hits[0]?.body['response_format']).toEqual(format)
  })

  test('schema insists', async () => {
    const { ask } = await over(() => ({ status: 400, error: { message: 'no json_schema' } }), { structured: 'schema' })
    await expect(ask(asJson(list))).rejects.toMatchObject({ kind: 'server' })
  })
})

test('JSON that comes as plain text is read', async () => {
  const body = JSON.stringify({ choices: [{ message: { content: 'in text' } }] })
  const { ask } = await over(() => ({ type: 'text/plain', body }))
  expect(await ask()).toEqual({ text: 'in text', finish: 'stop' })
})

describe('failures', () => {
  const waits: Behaviour = { status: 429, headers: { 'retry-after': '0.01' } }
  const past: Behaviour = { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } }

  test.each<[string, Behaviour]>([
    ['429 with seconds to wait', waits],
    ['429 with a date', past],
    ['429 with neither', { status: 429 }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['408', { status: 408 }],
    ['409', { status: 409 }],
    ['425', { status: 425 }],
    ['a connection that breaks', { broken: 'reset' }],
    ['a body that breaks off', { broken: 'truncated' }],
    ['a body that is no JSON', { broken: 'malformed' }],
    ['a reply without choices', { broken: 'no choices' }],
  ])('%s is repeated, and then it works', async (_name, behaviour) => {
    const { server, ask } = await over(inTurn(behaviour, behaviour))
    expect(await ask()).toMatchObject({ text: 'echo: when?' })
    expect(server.hits).toHaveLength(3)
  })

  test.each<[Behaviour, object]>([
    [
      { status: 500, error: { message: 'on fire' } },
      { kind: 'server', message: '500 on fire (3 attempts)' },
    ],
    [{ broken: 'reset' }, { kind: 'network', message: expect.stringContaining('ECONNRESET') as string }],
    [{ broken: 'malformed' }, { kind: 'server', message: expect.stringContaining('malformed') as string }],
    [{ broken: 'no choices' }, { kind: 'server', message: expect.stringContaining('"choices"') as string }],
  ])('%j to the end is told', async (behaviour, expected) => {
    const { server, ask } = await over(() => behaviour)
    await expect(ask()).rejects.toMatchObject({ name: 'ModelError', ...expected })
    expect(server.hits).toHaveLength(3)
  })

  test.each<[number, object, object]>([
    [400, { message: 'bad' }, { kind: 'server', message: '400 bad' }],
    [401, { message: 'no key' }, { kind: 'server', message: '401 no key' }],
    [403, { message: 'not you' }, { kind: 'server' }],
    [404, { message: 'no model' }, { kind: 'server' }],
    [429, { message: 'pay first', code: 'insufficient_quota' }, { kind: 'server', message: '429 pay first' }],
    [400, { message: 'too long', code: 'context_length_exceeded' }, { kind: 'window' }],
    [400, { message: 'bad words', code: 'content_filter' }, { kind: 'refused' }],
  ])('%i with %j is not repeated', async (status, error, expected) => {
    const { server, ask } = await over(() => ({ status, error }))
    await expect(ask()).rejects.toMatchObject({ name: 'ModelError', ...expected })
    expect(server.hits).toHaveLength(1)
  })

  test('a reply longer than the limit is ended and not repeated, however long it is', async () => {
    const body = '['.repeat(3_000_000)
    const { server, ask } = await over(() => ({ type: 'application/json', body }), { maxReplyMegabytes: 1 })
    await expect(ask()).rejects.toMatchObject({
      kind: 'server',
      message: 'the reply is longer than 1 MB (option maxReplyMegabytes)',
    })
    expect(server.hits).toHaveLength(1)
  })

  test('what a server says of an error is kept to 2 kB', async () => {
    const { ask } = await over(() => ({ status: 400, error: { message: 'x '.repeat(100_000) } }))
    const { message } = (await ask().catch((thrown: unknown) => thrown as Error)) as Error
    expect(Buffer.byteLength(message)).toBeGreaterThan(1900)
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2000)
  })

  test('a server that never replies is given up in time', async () => {
    const { server, provider } = await over(() => ({ broken: 'hang' }))
    const send = retry({ retries: 1, timeoutSeconds: 0.2, signal: new AbortController().signal, firstWaitSeconds: 0 })
    await expect(asking(provider, send)()).rejects.toMatchObject({ kind: 'timeout' })
    expect(server.hits).toHaveLength(2)
  })

  test('no server at all', async () => {
    const { server, ask } = await over()
    await server.close()
    await expect(ask()).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  test('the end of the run ends a request', async () => {
    const { server, provider } = await over(() => ({ broken: 'hang' }))
    const run = new AbortController()
    const send = retry({ retries: 5, timeoutSeconds: 30, signal: run.signal })
    const stopped = asking(provider, send)()
    await vi.waitFor(() => expect(server.hits).toHaveLength(1))
    run.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
  })

  test('no secret is told, whatever the server says', async () => {
    const { ask, provider } = await over(
      ({ headers }) => ({
        status: 401,
        error: { message: `bad ${headers.authorization as string} ${headers['x-gate'] as string}` },
      }),
      { apiKey: 'sk-very-secret', headers: { 'x-gate': 'gate-word' } },
    )
    const error = await ask().catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ message: '401 bad Bearer *** ***' })
    const { cause, stack } = error as Error
    const told = `${stack ?? ''} ${String((cause as Error).stack)} ${JSON.stringify([error, cause, provider.parameters, provider.baseUrl])}`
    expect(told).not.toMatch(/sk-very-secret|gate-word/)
  })
})

describe('embeddings', () => {
  test('two of the same index are a failed call', async () => {
    const data = [0, 0].map((index) => ({ index, embedding: [1, 2] }))
    const { server, embed } = await over(() => ({ type: 'application/json', body: JSON.stringify({ data }) }))
    await expect(embed(['a', 'b'])).rejects.toMatchObject({
      kind: 'server',
      message: "the server's reply gives two embeddings the same index (3 attempts)",
    })
    expect(server.hits).toHaveLength(3)
  })

  test.each(['float', 'base64'])(
    'as %s: in order, of length one, with the prefix of their role',
    async (encodingFormat) => {
      const { server, embed } = await over(
        () => ({
          vectors: [
            [3, 4],
            [0, 0],
          ],
        }),
        {
          encodingFormat,
          dimensions: 2,
          queryPrefix: 'query: ',
        },
      )
      const embedded = await embed(['a', 'b'], 'query')
      expect(embedded).toEqual({ vectors: [Float32Array.of(0.6, 0.8), Float32Array.of(0, 0)], tokens: 10 })
      expect(server.hits[0]?.body).toEqual({
        model: 'm',
        input: ['query: a', 'query: b'],
        encoding_format: encodingFormat,
        dimensions: 2,
      })
      await embed(['a'])
      expect(server.hits[1]?.body['input']).toEqual(['a'])
    },
  )

  test('what is no number stays none, for the seam to name its text', async () => {
    const { embed } = await over(() => ({ vectors: [[1, null]] }))
    expect([...((await embed(['a']))?.vectors[0] ?? [])]).toEqual([1, NaN])
  })

  test('a server that answers something else is repeated, and then told', async () => {
    const { server, embed } = await over(() => ({ reply: 'hello' }))
    await expect(embed(['a'])).rejects.toMatchObject({
      kind: 'server',
      message: expect.stringContaining('"data"') as string,
    })
    expect(server.hits).toHaveLength(3)
  })
})

describe('the key', () => {
  test('is missed before anything is asked, with the field and the variable', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    const failure = open({})
    await expect(failure).rejects.toBeInstanceOf(UserError)
    await expect(failure).rejects.toThrow(/OPENAI_API_KEY.*apiKey/)
  })

  test('is named by the keys of the config, in the role concerned', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    const opened = openai.open(openai.options.parse({ model: 'm' }), { cacheFolder: '', place: 'models.judge' })
    await expect(opened).rejects.toThrow(
      'OPENAI_API_KEY or models.judge.apiKey; for a local server set models.judge.baseUrl',
    )
  })

  test('of the environment goes to the official address only', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-environment')
    expect(await open({})).toMatchObject({ baseUrl: 'https://api.openai.com/v1' })
    const { server, ask } = await over()
    await ask()
    expect(server.hits[0]?.headers['authorization']).toBe('Bearer none')
  })

  test.each([
    ['a key', 'http://gpu.example:8000/v1', { apiKey: 'sk-1' }],
    ['a header', 'http://10.0.0.7/v1', { headers: { 'x-gate': 'word' } }],
    ['a key, to an address that begins like this computer', 'http://127.evil.example/v1', { apiKey: 'sk-1' }],
    ['a key, to a name that ends like this computer', 'http://notlocalhost/v1', { apiKey: 'sk-1' }],
  ])('does not go over the network in the open: %s', async (_what, baseUrl, secrets) => {
    const failure = open({ baseUrl, ...secrets })
    await expect(failure).rejects.toBeInstanceOf(UserError)
    await expect(failure).rejects.toThrow(/unencrypted to http:.*set allowInsecure: true/)
    await expect(open({ baseUrl, ...secrets, allowInsecure: true })).resolves.toMatchObject({ baseUrl })
    await expect(open({ baseUrl })).resolves.toMatchObject({ baseUrl })
    await expect(open({ baseUrl: baseUrl.replace('http:', 'https:'), ...secrets })).resolves.toBeDefined()
  })

  test.each(['localhost', 'a.localhost', '127.0.0.1', '127.1', '[::1]'])('goes to %s', async (host) => {
    await expect(open({ baseUrl: `http://${host}:9/v1`, apiKey: 'sk-1' })).resolves.toBeDefined()
  })

  test('in the path or the body does not either', async () => {
    knowSecret('key-of-the-path-1')
    const baseUrl = 'http://gpu.example/v1'
    await expect(open({ baseUrl: `${baseUrl}/key-of-the-path-1` })).rejects.toThrow('unencrypted')
    await expect(open({ baseUrl, body: { a: ['key-of-the-path-1'] } })).rejects.toThrow('unencrypted')
  })

  test('a piece of it that a parser would quote is not told', async () => {
    const { ask } = await over(() => ({ type: 'application/json', body: 'sk-very-secret is your key' }), {
      apiKey: 'sk-very-secret',
    })
    await expect(ask()).rejects.toThrow("the server's reply is malformed: it is not JSON (3 attempts)")
  })

  test('may not stand in the address', () => {
    expect(openai.options.safeParse({ model: 'm', baseUrl: 'http://me:pass@host/v1' }).success).toBe(false)
    expect(openai.options.safeParse({ model: 'm', baseUrl: '' }).success).toBe(false)
  })
})
