import { describe, expect, test } from 'vitest'
import type { ModelRole } from '../basics/roles.ts'
import { answerQuestion } from '../tasks/answers.ts'
import { nameEntities } from '../tasks/entities.ts'
import { fakeServer, type Behaviour, type Hit } from '../test-support/servers/server.ts'
import { tokenizer } from '../text/tokens.ts'
import { tryModel } from './try-model.ts'

type Body = Hit['body']
type Service = (body: Body) => Behaviour | undefined

/** Tries a model behind a service; gives what its findings say by what they are of. */
async function tryService(service: Service, options: object = {}, role: ModelRole = 'complete', use = 'openai') {
  const server = await fakeServer({ behave: ({ body }) => service(body) })
  const request = { use, options: { model: 'm', baseUrl: server.url, retries: 0, ...options } }
  const { findings } = await tryModel(
    { roles: [role], request, tasks: [answerQuestion, nameEntities], longest: 300 },
    { cacheFolder: '', tokenizer: tokenizer('o200k_base'), signal: new AbortController().signal },
  )
  await server.close()
  const works = Object.fromEntries(findings.map(({ what, works }) => [what, works]))
  const detail = Object.fromEntries(findings.map(({ what, said }) => [what, said]))
  return { works, said: detail, hits: server.hits.map(({ body }) => body) }
}

const refusal = (status: number, error: object): Behaviour => ({ status, error })

const isOfEntities = (body: Body): boolean => JSON.stringify(body['messages']).includes('named entities')

const good: Service = (body) => ({ reply: isOfEntities(body) ? '{"named_entities": ["Cape Wrath"]}' : 'OK' })

describe('a model that completes', () => {
  test('is called once for each task', async () => {
    const { works, said: detail, hits } = await tryService(good)
    const topics = ['answer-question', 'name-entities', 'schema', 'system role', 'token field']
    expect(works).toEqual(Object.fromEntries(topics.map((topic) => [topic, 'yes'])))
    expect(detail).toMatchObject({ 'name-entities': 'JSON', 'token field': 'max_tokens' })
    expect(hits).toHaveLength(2)
  })

  test('reports token field, system role and schema when the server accepts other ones', async () => {
    const { works, said: detail } = await tryService((body) => {
      if ('max_tokens' in body)
        return refusal(400, { message: "'max_tokens' is not supported. Use 'max_completion_tokens' instead." })
      if ((body['messages'] as readonly { readonly role: string }[]).some(({ role }) => role === 'system'))
        return refusal(400, { message: 'Conversation roles must alternate user/assistant/user/assistant/...' })
      if ('response_format' in body)
        return refusal(400, { message: 'The provided JSON schema contains features not supported by xgrammar.' })
      return good(body)
    })
    expect(works).toMatchObject({ 'name-entities': 'yes', schema: 'but', 'system role': 'but', 'token field': 'yes' })
    expect(detail).toMatchObject({
      schema: 'refused (name-entities): the prompt alone asks for JSON',
      'token field': 'max_completion_tokens',
    })
  })

  test('reports the option to change for each task when the server refuses it', async () => {
    const { works, said: detail } = await tryService(() =>
      refusal(400, { message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.' }),
    )
    expect(works).toEqual({ 'answer-question': 'no', 'name-entities': 'no' })
    expect(detail['name-entities']).toContain('Unknown name "seed": Cannot find field; set seed: null')
  })

  test('reports truncated prompts, truncated replies and unreadable replies', async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 3 }
    const cut = await tryService((body) =>
      isOfEntities(body) ? { reply: '{"named_entities": []}', usage } : good(body),
    )
    expect(cut.works).toMatchObject({ 'answer-question': 'yes', 'name-entities': 'no' })
    expect(cut.said['name-entities']).toMatch(/^the server read 20 tokens, less than half of the prompt: /)
    const cutReply = await tryService(() => ({ reply: '{"named', finish: 'length' }))
    expect(cutReply.said['name-entities']).toMatch(/ended at the token limit of \d+/)
    const unread = await tryService(() => ({ reply: 'Certainly.' }))
    expect(unread.said['name-entities']).toMatch(/two replies could not be read/)
  })

  test('is not called again after its server dies', async () => {
    const { works, hits } = await tryService(() => ({ broken: 'reset' }))
    expect(works).toEqual({ 'answer-question': 'no', 'the rest': 'no' })
    expect(hits).toHaveLength(2)
  })
})

describe('an embedder', () => {
  const embed = (service: Service, options: object = {}) => tryService(service, options, 'embed')
  const vectors =
    (of: (text: string) => number[]): Service =>
    (body) => ({ vectors: (body['input'] as string[]).map(of) })

  test('is called once and reports its dimension and whether it truncates a long text', async () => {
    const { works, said: detail, hits } = await embed(() => undefined)
    expect(works).toEqual({ embedding: 'yes', 'long text': 'yes' })
    expect(detail['embedding']).toBe('a vector has 8 numbers')
    expect(hits).toHaveLength(1)
  })

  test('reports truncation, missing vectors and refused options', async () => {
    expect((await embed(vectors((text) => [1, text.charCodeAt(0), text.charCodeAt(5)]))).works).toEqual({
      embedding: 'yes',
      'long text': 'no',
    })
    expect((await embed(() => ({ vectors: [] }))).works).toEqual({ embedding: 'no' })
    const longService: Service = (body) =>
      'dimensions' in body ? refusal(400, { message: 'dimensions is not supported', param: 'dimensions' }) : undefined
    expect((await embed(longService, { body: { dimensions: 4 } })).said['embedding']).toMatch(
      /; remove "dimensions" from body$/,
    )
  })
})

describe('a rerank model', () => {
  const rerank = (service: Service) => tryService(service, {}, 'rerank', 'rerank-server')
  const scores =
    (of: (text: string) => number): Service =>
    ({ documents }) => ({
      type: 'application/json',
      body: JSON.stringify({
        results: (documents as string[]).map((text, index) => ({ index, relevance_score: of(text) })),
      }),
    })

  test('is called once', async () => {
    const { works, hits } = await rerank(scores((text) => Number(text.includes('ferry leaves'))))
    expect(works).toEqual({ reranking: 'yes', 'long text': 'yes' })
    expect(hits).toHaveLength(1)
  })

  test('reports wrong rankings, truncation and a missing server', async () => {
    expect((await rerank(scores(() => 0.5))).works).toEqual({ reranking: 'but', 'long text': 'no' })
    expect((await rerank(() => refusal(404, { message: 'no such model' }))).works).toEqual({ reranking: 'no' })
  })
})
