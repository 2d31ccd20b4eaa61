import type { ModelRole } from '../../basics/roles.ts'
import { describe, expect, test } from 'vitest'
import { answerQuestion } from '../../tasks/answers.ts'
import { nameEntities } from '../../tasks/entities.ts'
import { fakeServer, type Behaviour, type Hit } from '../../test-support/servers/server.ts'
import { tokenizer } from '../../text/tokens.ts'
import { openTry } from './try-models.ts'

type Body = Hit['body']
type Service = (body: Body) => Behaviour | undefined

/** Tries a model behind a service; gives each finding as one line, and the options to change. */
async function tried(service: Service, options: object = {}, role: ModelRole = 'complete', use = 'openai') {
  const server = await fakeServer({ behave: ({ body }) => service(body) })
  const request = { use, options: { model: 'm', baseUrl: server.url, retries: 0, ...options } }
  const one = await openTry(
    {
      ...{ roles: [role], request, tasks: [answerQuestion, nameEntities] },
      longest: { prompt: 3000, text: 300 },
    },
    { cacheFolder: '', tokenizer: tokenizer('o200k_base'), signal: new AbortController().signal },
  )
  const { findings, change, remove, spent } = await one.run(() => undefined)
  await server.close()
  const works = Object.fromEntries(findings.map(({ what, works }) => [what, works]))
  const said = Object.fromEntries(findings.map(({ what, said }) => [what, said]))
  return { works, said, change, remove, spent, costs: one.costs, hits: server.hits.map(({ body }) => body) }
}

const embed = (service: Service, options: object = {}) => tried(service, options, 'embed')

const refusal = (status: number, error: object): Behaviour => ({ status, error })

/** What a good model says to each thing that is tried. */
function wellSaid(body: Body): string {
  const messages = body['messages'] as { readonly content: string }[]
  const text = messages.map(({ content }) => content).join('\n')
  const heat = body['temperature'] === 0 ? 'cold' : `warm ${String(body['seed'])}`
  if (text.includes('reply with the one word kestrel')) return 'Kestrel.'
  if (text.includes('Name a fruit')) return 'response_format' in body ? '{"colour": "red"}' : '{"fruit": "plum"}'
  if (text.includes('code words')) return 'cormorant and kestrel'
  if (text.includes('named entities')) return '{"named_entities": ["Cape Wrath"]}'
  return text.includes('in a harbour') ? `A gull, ${heat}.` : 'OK'
}

const good: Service = (body) => ('input' in body ? undefined : { reply: wellSaid(body) })

test('a model that can do everything needs no change, and no more calls than were said', async () => {
  const { works, said, change, spent, costs } = await tried(good)
  expect(works).toEqual({
    ...{ 'first call': 'yes', 'equal calls': 'yes', seed: 'yes', 'system message': 'yes', schema: 'yes' },
    ...{ 'long prompt': 'yes', 'answer-question': 'yes', 'name-entities': 'yes', speed: 'yes' },
  })
  expect(said['first call']).toBe('answered; taken: max_tokens, temperature 0, seed 42')
  expect(change).toEqual({})
  expect(spent.calls).toBe(costs.calls)
  expect(spent.completionTokens).toBeLessThan(costs.completionTokens)
})

test("OpenAI's reasoning models: another field, no temperature, room to think", async () => {
  const service: Service = (body) => {
    if ('max_tokens' in body)
      return refusal(400, {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ...{ type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
      })
    if ('temperature' in body && body['temperature'] !== 1)
      return refusal(400, {
        message:
          "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        ...{ type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' },
      })
    return Number(body['max_completion_tokens']) < 300 ? { reply: '', finish: 'length' } : good(body)
  }
  const { works, said, change } = await tried(service)
  expect(change).toEqual({ tokensField: 'max_completion_tokens', temperature: null, maxTokens: 4096 })
  expect(works).toMatchObject({ tokensField: 'but', temperature: 'no', thinking: 'but', 'name-entities': 'yes' })
  expect(said['temperature']).toContain('does not support 0 with this model')
  expect(said['first call']).toBe('answered; taken: max_completion_tokens, no temperature, seed 42')
})

test('a maxTokens that leaves a model no room to think, or a task no room for its reply, is told with one that does', async () => {
  const limited =
    (least: number): Service =>
    (body) =>
      Number(body['max_tokens']) < least ? { reply: '', finish: 'length' } : good(body)
  const thinks = await tried(limited(600), { maxTokens: 256 })
  expect(thinks.change).toEqual({ maxTokens: 4096 })
  expect(thinks.works).toMatchObject({ thinking: 'but', 'name-entities': 'yes' })
  expect((await tried(limited(600), { maxTokens: 8192 })).change).toEqual({})
  const isTask = (body: Body): boolean => wellSaid(body).includes('named_entities')
  const short = await tried((body) => (isTask(body) ? limited(600)(body) : good(body)), { maxTokens: 256 })
  expect(short.change).toEqual({ maxTokens: 4096 })
  expect(short.said['name-entities']).toContain('it ended at the 256 tokens of this try: set maxTokens to 4096')
})

test('Azure: a deployment that is none ends the try with what to check; a content filter fails one call', async () => {
  const message = 'The API deployment for this resource does not exist.'
  const none = await tried(() => refusal(404, { code: 'DeploymentNotFound', message }))
  expect(none.works).toEqual({ 'first call': 'no' })
  expect(none.said['first call']).toBe(`404 ${message.slice(0, -1)}; check model and baseUrl`)
  expect(none.hits).toHaveLength(1)
  const filtered = await tried((body) =>
    wellSaid(body) === 'OK' || wellSaid(body).includes('gull')
      ? good(body)
      : refusal(400, {
          code: 'content_filter',
          message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        }),
  )
  expect(filtered.works).toMatchObject({ 'first call': 'yes', 'name-entities': 'no', 'answer-question': 'yes' })
})

test("Anthropic's compatible endpoint leaves out seed and schema without a word", async () => {
  let calls = 0
  const { works, change } = await tried((body) => {
    const { response_format: _, ...read } = body
    const said = wellSaid(read)
    return { reply: said.includes('warm') ? `A gull ${calls++}.` : said }
  })
  expect(works).toMatchObject({ seed: 'but', schema: 'but', 'name-entities': 'yes' })
  expect(change).toEqual({})
})

test("Gemini's compatible endpoint names what it does not know in a list", async () => {
  const { works, said, change } = await tried((body) =>
    'seed' in body
      ? {
          ...{ status: 400, type: 'application/json' },
          body: JSON.stringify([
            {
              error: {
                ...{ code: 400, status: 'INVALID_ARGUMENT' },
                message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
              },
            },
          ]),
        }
      : good(body),
  )
  expect(change).toEqual({ seed: null })
  expect(works).toMatchObject({ seed: 'no', 'first call': 'yes', 'name-entities': 'yes' })
  expect(said['seed']).toContain('Unknown name "seed"')
})

test('Ollama cuts long prompts to its num_ctx', async () => {
  const { works, said } = await tried((body) => {
    const usage = { prompt_tokens: Math.min(2048, JSON.stringify(body['messages']).length / 4), completion_tokens: 3 }
    const reply = wellSaid(body)
    return { reply: reply.includes('cormorant') ? 'kestrel' : reply, usage }
  })
  expect(works).toMatchObject({ 'first call': 'yes', 'long prompt': 'no' })
  expect(said['long prompt']).toMatch(
    /^of about 3\d\d\d tokens: the server read 2048 of them \(the model names only the word at its end\): give it a longer context/,
  )
})

test('vLLM: a window that is too small, a template without a system role, a schema that is refused', async () => {
  const { works, said, change } = await tried((body) => {
    const messages = body['messages'] as { readonly role: string; readonly content: string }[]
    if (messages.some(({ role }) => role === 'system'))
      return refusal(400, { message: 'Conversation roles must alternate user/assistant/user/assistant/...' })
    if (JSON.stringify(messages).length > 8000)
      return refusal(400, {
        message: "This model's maximum context length is 2048 tokens. However, you requested 3100 tokens.",
      })
    const form = body['response_format'] as { readonly type: string } | undefined
    return form?.type === 'json_schema'
      ? refusal(400, { message: 'The provided JSON schema contains features not supported by xgrammar.' })
      : good(body)
  })
  expect(change).toEqual({ systemRole: 'merge', structured: 'json' })
  expect(works).toMatchObject({ 'system message': 'but', schema: 'but', 'long prompt': 'no', 'name-entities': 'yes' })
  expect(said['long prompt']).toContain('maximum context length is 2048 tokens')
})

test('llama-cpp-python: a schema that it does not know is an error of its own, JSON mode works; vectors of tokens', async () => {
  const { works, change, said } = await tried((body) => {
    const form = body['response_format'] as { readonly type: string } | undefined
    return form?.type === 'json_schema'
      ? refusal(500, { message: "{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text'\"}" })
      : good(body)
  })
  expect(change).toEqual({ structured: 'json' })
  expect(works).toMatchObject({ schema: 'but', 'name-entities': 'yes' })
  const vector = { object: 'embedding', index: 0, embedding: [[1, 2], [3]] }
  const tokens = await embed(() => ({ type: 'application/json', body: JSON.stringify({ data: [vector] }) }))
  expect(tokens.works).toEqual({ 'first call': 'no' })
  expect(said['schema']).toContain('JSON mode works')
})

test('a server that dies is asked nothing more', async () => {
  let calls = 0
  const { works, hits } = await tried(() => (calls++ < 2 ? undefined : { broken: 'reset' }))
  expect(works).toMatchObject({ 'first call': 'yes', 'equal calls': 'no', 'the rest': 'no' })
  expect(hits.length).toBeLessThan(8)
})

test('an embedder: its size, as many texts as it takes, the other encoding, a long text', async () => {
  const { works, said, change, spent, costs } = await embed(() => undefined)
  expect(works).toEqual({ 'first call': 'yes', batch: 'yes', 'equal texts': 'yes', base64: 'yes', 'long text': 'yes' })
  expect(said['first call']).toBe('answered; a vector has 8 numbers')
  expect(change).toEqual({})
  expect(spent.calls).toBe(costs.calls)
  const few = await embed((body) =>
    (body['input'] as unknown[]).length > 40
      ? refusal(400, { message: 'BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch' })
      : undefined,
  )
  expect(few.works).toMatchObject({ batch: 'no', 'equal texts': 'yes' })
  expect(few.change).toEqual({ textsPerRequest: 32 })
})

test('an embedder that refuses base64 or dimensions, cuts long texts, or gives everything one vector', async () => {
  const float: Service = (body) =>
    body['encoding_format'] === 'base64'
      ? refusal(400, { message: 'Unsupported encoding_format', param: 'encoding_format' })
      : undefined
  expect((await embed(float)).works).toMatchObject({ base64: 'but', 'long text': 'yes' })
  expect((await embed(float, { encodingFormat: 'base64' })).change).toEqual({ encodingFormat: 'float' })
  const whole: Service = (body) =>
    'dimensions' in body ? refusal(400, { message: 'dimensions is not supported', param: 'dimensions' }) : undefined
  expect(await embed(whole, { dimensions: 4 })).toMatchObject({ change: {}, remove: ['dimensions'] })
  const vectors = (of: (text: string) => number[]): Service => {
    return (body) => ({ vectors: (body['input'] as string[]).map(of) })
  }
  const cut = await embed(vectors((text) => [1, text.slice(0, 20).length, text.charCodeAt(0), text.charCodeAt(5)]))
  expect(cut.works).toMatchObject({ 'long text': 'no' })
  expect((await embed(vectors(() => [1, 2]))).works).toMatchObject({ 'equal texts': 'no' })
})

describe('a rerank model', () => {
  const rerank = (service: Service, options: object = {}) => tried(service, options, 'rerank', 'rerank-server')
  const scores =
    (of: (text: string) => number): Service =>
    ({ documents }) => ({
      type: 'application/json',
      body: JSON.stringify({
        results: (documents as string[]).map((text, index) => ({ index, relevance_score: of(text) })),
      }),
    })
  const fair = scores((text) => Number(text.includes('ferry leaves')) + Number(text.includes('storm')) / 2)

  test('that can do everything needs no change, and no more calls than were said', async () => {
    const { works, change, spent, costs } = await rerank(fair)
    expect(works).toEqual({ 'first call': 'yes', batch: 'yes', 'long text': 'yes' })
    expect(change).toEqual({})
    expect(spent).toEqual(costs)
  })

  test('takes as many texts as its server does', async () => {
    const few: Service = (body) =>
      (body['documents'] as string[]).length > 30 ? refusal(400, { message: 'at most 30 documents' }) : fair(body)
    const { works, said, change } = await rerank(few)
    expect(works).toMatchObject({ batch: 'no', 'long text': 'yes' })
    expect(said['batch']).toMatch(/^100 texts are refused \(.*at most 30 documents.*\); 25 work$/)
    expect(change).toEqual({ textsPerRequest: 25 })
  })

  test('that ranks nothing, or reads only beginnings, is told of', async () => {
    const blind = await rerank(scores(() => 0.5))
    expect(blind.works).toEqual({ 'first call': 'but', batch: 'yes', 'long text': 'no' })
    const none = await rerank(() => refusal(404, { message: 'no such model' }))
    expect(none.works).toEqual({ 'first call': 'no' })
  })
})
