import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { knowSecret, UserError } from '../../../errors.ts'
import {
  fakeServer,
  type Behaviour,
  type FakeServer,
  type FakeServerOptions,
  type Hit,
} from '../../../test-support/servers/server.ts'
import { formOf } from '../../calls/task-call.ts'
import { retry } from '../../calls/retry.ts'
import type { CompletionRequest, Provider } from '../../provider.ts'
import { maxReplyBytes } from './client.ts'
import { openai } from './openai.ts'

const servers: FakeServer[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const open = (options: Record<string, unknown>): Promise<Provider> =>
  openai.open(openai.options.parse({ model: 'm', ...options }), { cacheFolder: '' })

/** A server that behaves so, the provider opened on it, and a way to it that repeats twice without waiting. */
async function over(
  behave: FakeServerOptions['behave'] = () => undefined,
  options: Record<string, unknown> = {},
  runSignal = new AbortController().signal,
) {
  const server = await fakeServer({ behave })
  servers.push(server)
  const provider = await open({ baseUrl: server.url, ...options })
  const send = retry({ retries: 2, timeoutSeconds: 30, signal: runSignal, firstWaitSeconds: 0 })
  const ask = (more: Partial<CompletionRequest> = {}) =>
    send(async (signal) => provider.complete?.({ ...request, ...more }, signal))
  const embed = (texts: readonly string[], role: 'query' | 'document' = 'document') =>
    send(async (signal) => provider.embed?.(texts, role, signal))
  return { server, provider, ask, embed }
}

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

const asJson = (output: z.ZodType, task: string): Partial<CompletionRequest> => ({
  task,
  reply: 'json',
  ...formOf(output),
})

const json = (value: unknown): Behaviour => ({ type: 'application/json', body: JSON.stringify(value) })

/** A server that refuses what it finds a fault with. */
const refusing =
  (fault: (body: Hit['body']) => boolean, status: number, error: object) =>
  ({ body }: Hit): Behaviour | undefined =>
    fault(body) ? { status, error } : undefined
const has = (field: string) => (body: Hit['body']) => field in body

describe('a question', () => {
  test('sends the configured parameters and returns token counts', async () => {
    const { server, ask } = await over(undefined, { body: { top_k: 3 }, headers: { 'x-team': 'blue' } })
    const counts = { promptTokens: 11, completionTokens: 3 }
    expect(await ask({ sample: 2 })).toEqual({ text: 'echo: when?', finish: 'stop', ...counts })
    expect(server.hits).toMatchObject([{ path: '/v1/chat/completions', headers: { 'x-team': 'blue' } }])
    expect(server.hits[0]?.body).toEqual({
      model: 'm',
      messages: request.prompt.messages,
      max_tokens: 512,
      temperature: 0,
      seed: 44,
      top_k: 3,
    })
  })

  test('uses the sampling of the task, and omits parameters that are null', async () => {
    const prompt = { ...request.prompt, sampling: { temperature: 0.5, variant: 3 } }
    const { server, ask } = await over()
    await ask({ prompt, sample: 1 })
    expect(server.hits[0]?.body).toMatchObject({ temperature: 0.5, seed: 46 })
    const plain = await over(undefined, { temperature: null, seed: null })
    await plain.ask({ prompt })
    expect(plain.server.hits[0]?.body).toEqual({ model: 'm', messages: request.prompt.messages, max_tokens: 512 })
  })

  test.each<[needs: number, configured: number | undefined, limit: number, capped?: true]>([
    [9, undefined, 512],
    [600, undefined, 600],
    [9, 96, 96],
    [600, 96, 96],
    [600, 8000, 8000],
    [9, undefined, 9, true],
    [600, undefined, 600, true],
    [9, 8000, 9, true],
    [600, 96, 96, true],
  ])('that needs %i tokens, where the config says %s, is allowed %i (capped: %s)', async (needs, ...rest) => {
    const [maxTokens, limit, capped] = rest
    const { server, ask } = await over(undefined, { maxTokens })
    await ask({ ...(capped && { capped }), prompt: { ...request.prompt, maxTokens: needs } })
    expect(server.hits[0]?.body).toMatchObject({ max_tokens: limit })
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
  const closed = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
  const sentFormat = async (output: z.ZodType, task = 'list') => {
    const { server, ask } = await over()
    await ask(asJson(output, task))
    return server.hits[0]?.body['response_format'] as { json_schema: { strict: boolean; schema: object } }
  }

  test('wraps a list in an object and closes it', async () => {
    const items = { type: 'array', items: closed({ name: { type: 'string' } }) }
    const json_schema = { name: 'names_of_things', strict: true, schema: closed({ items }) }
    expect(await sentFormat(list, 'names of things')).toEqual({ type: 'json_schema', json_schema })
  })

  test('asks for a tuple as a list of so many items, since llama.cpp refuses items: false', async () => {
    const { json_schema } = await sentFormat(
      z.object({ triples: z.array(z.tuple([z.string(), z.string(), z.string()])) }),
    )
    const items = { anyOf: Array<object>(3).fill({ type: 'string' }) }
    const triple = { type: 'array', items, minItems: 3, maxItems: 3 }
    const properties = { triples: { type: 'array', items: triple } }
    expect(json_schema).toMatchObject({ strict: true, schema: { properties } })
    expect(JSON.stringify(json_schema)).not.toMatch(/prefixItems|false[^}]*maxItems/)
  })

  test('leaves out keywords that strict modes refuse', async () => {
    const { json_schema } = await sentFormat(
      z.object({
        name: z.string().min(1).max(9).regex(/^a/),
        year: z.int().min(1),
        kind: z.enum(['a', 'b']),
        minLength: z.union([z.string().min(1), z.null()]),
      }),
    )
    const properties = {
      name: { type: 'string' },
      year: { type: 'integer' },
      kind: { type: 'string', enum: ['a', 'b'] },
      minLength: { type: ['string', 'null'] },
    }
    expect(json_schema.schema).toEqual(closed(properties))
  })

  test('is not strict when a property is optional', async () => {
    const { json_schema } = await sentFormat(z.object({ a: z.string(), b: z.string().optional() }))
    expect(json_schema).toMatchObject({ strict: false, schema: { required: ['a'] } })
  })

  test.each([400, 404, 422])('is dropped for a server that refuses it with %i', async (status) => {
    const error = { message: 'response_format json_schema is not supported' }
    const { server, ask } = await over(refusing(has('response_format'), status, error))
    for (const task of ['one', 'one', 'two'])
      expect(await ask(asJson(list, task))).toMatchObject({ text: 'echo: when?', fallbacks: ['schema'] })
    expect(server.hits.map(({ body }) => 'response_format' in body)).toEqual([true, false, false, true, false])
  })
})

const hasSystem = ({ messages }: Hit['body']) => (messages as { role: string }[]).some(({ role }) => role === 'system')

describe('a server that refuses', () => {
  const refusal = {
    message:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    type: 'invalid_request_error',
    param: 'max_tokens',
    code: 'unsupported_parameter',
  }

  test('max_tokens gets max_completion_tokens in later requests', async () => {
    const { server, ask } = await over(refusing(has('max_tokens'), 400, refusal))
    for (const _ of [1, 2]) expect(await ask()).toEqual(expect.not.objectContaining({ fallbacks: [] }))
    expect(server.hits.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])).toEqual([
      [512, undefined],
      [undefined, 512],
      [undefined, 512],
    ])
  })

  test.each([
    [400, 'System role not supported'],
    [500, 'Jinja Exception: System role not supported'],
    [400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
    [400, 'Developer instruction is not enabled for models/gemma-3-4b-it (system message)'],
  ])('a system message with %i gets none in later requests, and the reply reports it', async (status, message) => {
    const { server, ask } = await over(refusing(hasSystem, status, { message }))
    for (const _ of [1, 2]) expect(await ask()).toMatchObject({ fallbacks: ['system'] })
    const merged = [{ role: 'user', content: 'be brief\n\nwhen?' }]
    expect(server.hits.map(({ body }) => body['messages'])).toEqual([request.prompt.messages, merged, merged])
  })

  const temperature = {
    message:
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
    param: 'temperature',
    code: 'unsupported_value',
  }
  const unknownOfLiteLlm =
    '/chat/completions: Invalid model name passed in model=m. Call `/v1/models` to view available models for your key.'
  test.each<[string, number, object, string]>([
    ['temperature', 400, temperature, 'set temperature: null, or to what the server accepts'],
    ['temperature without a code', 400, { message: '`temperature` is deprecated for this model.' }, 'set temperature'],
    ['seed', 422, { message: 'Extra inputs are not permitted: seed' }, 'set seed: null'],
    ['a field of body', 400, { message: 'Unrecognized request argument supplied: top_k' }, 'remove "top_k" from body'],
    ['max_tokens as too many', 400, { message: 'max_tokens is too large: 512. At most 256.' }, 'lower maxTokens'],
    ['the model (LiteLLM)', 400, { message: unknownOfLiteLlm, code: '400' }, 'check model'],
    ['the model (vLLM)', 404, { message: 'The model `m` does not exist.', type: 'NotFoundError' }, 'check model'],
    ['the model (Ollama)', 404, { message: 'model "m" not found, try pulling it first' }, 'check model'],
    ['the key (LiteLLM)', 400, { message: 'Authentication Error, Invalid proxy server token.' }, 'check the key'],
    ['the key (Gemini)', 400, { message: 'API key not valid. Please pass a valid API key.' }, 'check the key'],
  ])('%s is reported with the option to change', async (_title, status, error, remedy) => {
    const { server, ask } = await over(() => ({ status, error }), { body: { top_k: 3 } })
    const { message } = error as { message: string }
    await expect(ask()).rejects.toMatchObject({
      kind: 'server',
      message: `${status} ${message.replace(/\.$/, '')}`,
      cause: { unusable: String(status), remedy: expect.stringContaining(remedy) as string },
    })
    expect(server.hits).toHaveLength(1)
  })

  test.each<[string, object, string]>([
    ['length (llama.cpp)', { message: 'the request exceeds the available context size' }, 'window'],
    ['length (vLLM)', { message: "'max_tokens' is too large: 512. The maximum context length is 256" }, 'window'],
    ['length (Anthropic)', { message: 'prompt is too long: 212000 tokens > 200000 maximum' }, 'window'],
    ['length by its code', { message: 'too long', code: 'context_length_exceeded' }, 'window'],
    ['content (Azure)', { message: "filtered due to Azure OpenAI's content management policy." }, 'refused'],
    ['content by its code', { message: 'bad words', code: 'content_filter' }, 'refused'],
  ])('%s concerns this request only', async (_title, error, kind) => {
    const { ask } = await over(() => ({ status: 400, error }))
    await expect(ask()).rejects.toMatchObject({ name: 'ModelError', kind })
  })
})

describe('the reason of a refusal reaches the screen', () => {
  test.each<[string, object | string, string]>([
    [
      'a list (Gemini)',
      [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }],
      'API key not valid',
    ],
    ['detail (FastAPI)', { detail: 'Not enough memory' }, 'Not enough memory'],
    ['details with places', { detail: [{ loc: ['body', 'seed'], msg: 'bad seed', type: 'x' }] }, 'body.seed: bad seed'],
    ['error as text (Ollama)', { error: 'model is broken' }, 'model is broken'],
    ['a message alone (vLLM)', { object: 'error', message: 'it is off', code: 400 }, 'it is off'],
    ['text', 'upstream is gone', 'upstream is gone'],
  ])('%s', async (_form, body, reason) => {
    const behaviour = typeof body === 'string' ? { type: 'text/plain', body } : json(body)
    const { ask } = await over(() => ({ ...behaviour, status: 400 }))
    await expect(ask()).rejects.toMatchObject({ message: `400 ${reason}` })
  })

  test('that came with status 200', async () => {
    const { server, ask, embed } = await over(() => json({ error: { message: 'No endpoints found', code: 404 } }))
    await expect(ask()).rejects.toMatchObject({ message: '404 No endpoints found' })
    await expect(embed(['a'])).rejects.toMatchObject({ message: '404 No endpoints found' })
    expect(server.hits).toHaveLength(2)
  })
})

describe('failures', () => {
  const waits: Behaviour = { status: 429, headers: { 'retry-after': '0.01' } }
  const past: Behaviour = { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } }

  test.each<[string, Behaviour]>([
    ['429 with seconds to wait', waits],
    ['429 with a date', past],
    ['429 with neither', { status: 429 }],
    ['500', { status: 500 }],
    ['500 in words of a refusal', { status: 500, error: { message: 'the safety system is restarting' } }],
    ['408', { status: 408 }],
    ['a connection that breaks', { broken: 'reset' }],
    ['a body that breaks off', { broken: 'truncated' }],
    ['a body that is no JSON', { broken: 'malformed' }],
    ['a reply without choices', { broken: 'no choices' }],
  ])('%s is repeated, and then it works', async (_name, behaviour) => {
    const { server, ask } = await over((_hit, index) => (index < 2 ? behaviour : undefined))
    expect(await ask()).toMatchObject({ text: 'echo: when?' })
    expect(server.hits).toHaveLength(3)
  })

  test.each<[number, object, object]>([
    [401, { message: 'no key' }, { kind: 'server', message: '401 no key' }],
    [403, { message: 'not you' }, { kind: 'server' }],
    [429, { message: 'pay first', code: 'insufficient_quota' }, { kind: 'server', message: '429 pay first' }],
  ])('%i with %j is not repeated', async (status, error, expected) => {
    const { server, ask } = await over(() => ({ status, error }))
    await expect(ask()).rejects.toMatchObject({ name: 'ModelError', ...expected })
    expect(server.hits).toHaveLength(1)
  })

  test('a reply longer than the limit is ended and not repeated, however long it is', async () => {
    const body = '['.repeat(maxReplyBytes + 1)
    const { server, ask } = await over(() => ({ type: 'application/json', body }))
    await expect(ask()).rejects.toThrow('the reply is longer than 100 MB')
    expect(server.hits).toHaveLength(1)
  })

  test('the end of the run ends a request', async () => {
    const run = new AbortController()
    const { server, ask } = await over(() => ({ broken: 'hang' }), {}, run.signal)
    const abortedCall = ask()
    await vi.waitFor(() => expect(server.hits).toHaveLength(1))
    run.abort(new Error('stopped'))
    await expect(abortedCall).rejects.toThrow('stopped')
  })

  test('reports no secret, for any reply of the server', async () => {
    const { ask, provider } = await over(
      ({ headers }) => ({
        status: 401,
        error: { message: `bad ${headers.authorization as string} ${headers['x-gate'] as string}` },
      }),
      { apiKey: 'sk-very-secret', headers: { 'x-gate': 'gate-word' } },
    )
    const error = await ask().catch((failure: unknown) => failure as Error)
    expect(error).toMatchObject({ message: '401 bad Bearer *** ***' })
    const { cause, stack } = error as Error
    const output = `${stack ?? ''} ${String((cause as Error).stack)} ${JSON.stringify([error, cause, provider.parameters, provider.baseUrl])}`
    expect(output).not.toMatch(/sk-very-secret|gate-word/)
  })
})

describe('embeddings', () => {
  test('fail the call when two have the same index', async () => {
    const data = [0, 0].map((index) => ({ index, embedding: [1, 2] }))
    const { server, embed } = await over(() => json({ data }))
    await expect(embed(['a', 'b'])).rejects.toThrow('gives two embeddings the same index (3 attempts)')
    expect(server.hits).toHaveLength(3)
  })

  test('are unit vectors in order, made with the prefix of their role', async () => {
    const behave = () => ({
      vectors: [
        [3, 4],
        [0, 0],
        [1, null],
      ],
    })
    const { server, embed } = await over(behave, { queryPrefix: 'query: ', body: { dimensions: 2 } })
    const embeddings = await embed(['a', 'b', 'c'], 'query')
    // values that are no numbers stay for the caller to report
    const vectors = [Float32Array.of(0.6, 0.8), Float32Array.of(0, 0), Float32Array.of(1, NaN)]
    expect(embeddings?.vectors).toEqual(vectors)
    const input = ['query: a', 'query: b', 'query: c']
    expect(server.hits[0]?.body).toEqual({ model: 'm', input, encoding_format: 'float', dimensions: 2 })
    await embed(['a'])
    expect(server.hits[1]?.body['input']).toEqual(['a'])
  })
})

describe('the key', () => {
  test('is reported missing before any request, with its variable and its path in the config', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    await expect(open({})).rejects.toBeInstanceOf(UserError)
    const opening = openai.open(openai.options.parse({ model: 'm' }), { cacheFolder: '', place: 'models.judge' })
    await expect(opening).rejects.toThrow(
      'OPENAI_API_KEY or models.judge.apiKey; for a local server set models.judge.baseUrl',
    )
  })

  test('from the environment is sent to the official address only', async () => {
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
  ])('is not sent unencrypted over the network: %s', async (_title, baseUrl, secrets) => {
    const failure = open({ baseUrl, ...secrets })
    await expect(failure).rejects.toBeInstanceOf(UserError)
    await expect(failure).rejects.toThrow(/unencrypted to http:.*set allowInsecure: true/)
    await expect(open({ baseUrl, ...secrets, allowInsecure: true })).resolves.toMatchObject({ baseUrl })
    await expect(open({ baseUrl })).resolves.toMatchObject({ baseUrl })
    await expect(open({ baseUrl: baseUrl.replace('http:', 'https:'), ...secrets })).resolves.toBeDefined()
  })

  test.each(['localhost', 'a.localhost', '127.0.0.1', '127.1', '[::1]'])('is sent to %s', async (host) => {
    await expect(open({ baseUrl: `http://${host}:9/v1`, apiKey: 'sk-1' })).resolves.toBeDefined()
  })

  test('is not sent unencrypted in path or body', async () => {
    knowSecret('key-of-the-path-1')
    const baseUrl = 'http://gpu.example/v1'
    await expect(open({ baseUrl: `${baseUrl}/key-of-the-path-1` })).rejects.toThrow('unencrypted')
    await expect(open({ baseUrl, body: { a: ['key-of-the-path-1'] } })).rejects.toThrow('unencrypted')
  })

  test('is not quoted in part by parser errors', async () => {
    const { ask } = await over(() => ({ type: 'application/json', body: 'sk-very-secret is your key' }), {
      apiKey: 'sk-very-secret',
    })
    await expect(ask()).rejects.toThrow(/malformed: it is not JSON; check baseUrl \(3 attempts\)$/)
  })

  test('is refused in the address', () => {
    expect(openai.options.safeParse({ model: 'm', baseUrl: 'http://me:pass@host/v1' }).success).toBe(false)
    expect(openai.options.safeParse({ model: 'm', baseUrl: '' }).success).toBe(false)
  })
})
