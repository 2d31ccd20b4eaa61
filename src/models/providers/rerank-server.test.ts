import { afterEach, expect, test } from 'vitest'
import { fakeServer, type Behaviour, type FakeServer, type Hit } from '../../test-support/servers/server.ts'
import { tokenizer } from '../../text/tokens.ts'
import { createUsageCounter, inMemoryCache, openModels } from '../index.ts'

const resources: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const resource of resources.splice(0)) await resource.close()
})

const json = (value: unknown, status = 200): Behaviour => ({
  body: typeof value === 'string' ? value : JSON.stringify(value),
  type: 'application/json',
  status,
})

const textsIn = ({ body }: Hit): readonly string[] => (body['documents'] ?? body['texts'] ?? []) as string[]

/** A text scores as many hundredths as it has characters; the best first, as servers send them. */
const scoresByLength = (hit: Hit): { index: number; score: number }[] =>
  textsIn(hit)
    .map((text, index) => ({ index, score: text.length / 100 }))
    .sort((a, b) => b.score - a.score)

const relevance = ({ index, score }: { index: number; score: number }) => ({ index, relevance_score: score })

const servers: Readonly<Record<string, (hit: Hit) => unknown>> = {
  'Cohere v2': (hit) => ({
    id: 'r',
    results: scoresByLength(hit).map(relevance),
    meta: { billed_units: { search_units: 1 } },
  }),
  Jina: (hit) => ({ model: 'm', usage: { total_tokens: 50 }, results: scoresByLength(hit).map(relevance) }),
  Voyage: (hit) => ({ object: 'list', data: scoresByLength(hit).map(relevance), usage: { total_tokens: 50 } }),
  'vLLM and llama.cpp': (hit) => ({
    results: scoresByLength(hit).map((score) => ({ ...relevance(score), document: {} })),
  }),
  'text-embeddings-inference': (hit) => scoresByLength(hit),
}

async function connect(reply: (hit: Hit) => Behaviour, options: object = {}) {
  const server: FakeServer = await fakeServer({ behave: reply })
  const fakeModel = { use: 'fake', options: {} }
  const rerankModel = { use: 'rerank-server', options: { baseUrl: server.url, model: 'm', retries: 0, ...options } }
  const { signal } = new AbortController()
  const models = await openModels(
    { complete: fakeModel, embed: fakeModel, judge: fakeModel, rerank: rerankModel },
    { cache: inMemoryCache(), tokenizer: tokenizer('o200k_base'), cacheFolder: '', signal },
  )
  resources.push(models, server)
  const counter = createUsageCounter()
  const scope = () => models.scope({ phase: 'retrieve', sample: 0, seed: ['test'], counter })
  const rerank = async (question: string, texts: readonly string[]) =>
    ((await scope().rerank?.(question, texts)) ?? []).map(({ score }) => Number(score.toFixed(6)))
  return { server, rerank, counter, models }
}

const texts = ['four', 'a longer text', 'x']

test.each(Object.entries(servers))('%s returns scores in the order of the texts', async (name, reply) => {
  const form = name.startsWith('text-') ? 'texts' : 'documents'
  const { server, rerank } = await connect((hit) => json(reply(hit)), { form, apiKey: 'key-of-test' })
  expect(await rerank('q', texts)).toEqual([0.04, 0.13, 0.01])
  expect(server.hits).toMatchObject([
    { path: '/v1/rerank', body: { model: 'm', query: 'q', [form]: texts }, headers: { authorization: 'Bearer key-of-test' } }, // prettier-ignore
  ])
})

test('sends only new pairs and counts ranked tokens', async () => {
  const { server, rerank, counter } = await connect((hit) => json(servers['Cohere v2']!(hit)))
  await rerank('q', texts)
  expect(await rerank('q', ['new', ...texts, 'new'])).toEqual([0.03, 0.04, 0.13, 0.01, 0.03])
  expect(server.hits.map((hit) => textsIn(hit))).toEqual([texts, ['new']])
  expect(await rerank('another', ['x'])).toEqual([0.01])
  expect(counter.usage('retrieve')).toMatchObject({ calls: 3, rankedTexts: 9, estimated: 3 })
  const { promptTokens, rankedTokens = 0 } = counter.usage('retrieve')
  expect(rankedTokens).toBe(promptTokens)
  expect(rankedTokens).toBeGreaterThan(9)
})

test('splits long lists into several requests', async () => {
  const many = Array.from({ length: 33 }, (_, index) => `text ${index}`)
  const { server, rerank } = await connect((hit) => json(textsIn(hit).map((_, index) => ({ index, score: index }))))
  expect(await rerank('q', many)).toEqual([...Array(32).keys(), 0])
  expect(server.hits.map((hit) => textsIn(hit).length).sort()).toEqual([1, 32])
  expect(await rerank('q', [])).toEqual([])
})

test.each<[string, unknown, RegExp]>([
  ['fewer', [{ index: 0, score: 1 }], /leaves out texts: 1 scores for 3 texts/],
  ['more', [0, 1, 2, 3].map((index) => ({ index, score: 1 })), /a text that was not sent/],
  ['doubled', [0, 1, 1].map((index) => ({ index, score: 1 })), /two scores for one text/],
  ['no number', [0, 1, 2].map((index) => ({ index, score: index === 1 ? null : 1 })), /a score that is no number/],
  ['NaN', '[{"index":0,"score":NaN}]', /not JSON/],
  ['other fields', { results: [{ place: 1 }] }, /malformed/],
  ['nothing', 'null', /malformed/],
])('a reply with %s fails the call with the reason and is not cached', async (_name, body, message) => {
  const { server, rerank, counter } = await connect(() => json(body))
  await expect(rerank('q', texts)).rejects.toMatchObject({ name: 'ModelError', kind: 'server' })
  await expect(rerank('q', texts)).rejects.toThrow(message)
  expect(server.hits).toHaveLength(2)
  expect(counter.totals('retrieve').failed).toBe(2)
})

test.each([
  [401, /check the key/],
  [404, /check model and baseUrl/],
])('a server that replies %i ends the run before any question', async (status, message) => {
  const { rerank, models } = await connect(() => json({ message: 'no' }, status))
  const messages: string[] = []
  models.watch(['rerank'], (why) => messages.push(why.message))
  await expect(rerank('q', texts)).rejects.toThrow(message)
  expect(messages).toEqual([
    expect.stringMatching(/^models\.rerank: rerank-server "m" cannot be used: .*nothing was asked/),
  ])
})

test('refuses to send a key unencrypted beyond this computer', async () => {
  const { rerankServer } = await import('./rerank-server.ts')
  const options = rerankServer.options.parse({ baseUrl: 'http://reranker.example/v1', apiKey: 'key-of-test' })
  await expect(rerankServer.open(options, { cacheFolder: '' })).rejects.toThrow(
    /^rerank-server: the key, headers or variables of the config would go unencrypted/,
  )
})
