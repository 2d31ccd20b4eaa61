import type { ModelRole } from '../basics/roles.ts'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineTask } from '../define.ts'
import { UserError } from '../errors.ts'
import { fakeProvider, kindOf } from '../test-support/fake-provider.ts'
import { fakeServer, type FakeServer, type FakeServerOptions } from '../test-support/servers/server.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Phase } from '../types.ts'
import type { Cache } from './cache/cache.ts'
import { openCache, inMemoryCache } from './cache/open-cache.ts'
import { openModels, type ModelRequest, type OpenedModels } from './index.ts'
import { createMeter } from './meter.ts'
import type { ProviderKind } from './provider.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-open-'))
const servers: FakeServer[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function serve(options: FakeServerOptions = {}): Promise<FakeServer> {
  const server = await fakeServer(options)
  servers.push(server)
  return server
}

const open = (choices: Partial<Record<ModelRole, ModelRequest>>, cache: Cache | null = null): Promise<OpenedModels> => {
  const fake = { use: 'fake', options: {} }
  const complete = choices.complete ?? fake
  return openModels(
    {
      complete,
      ...(choices.answer && { answer: choices.answer }),
      embed: choices.embed ?? fake,
      judge: choices.judge ?? complete,
    },
    { cache, tokenizer: tokenizer('o200k_base'), cacheFolder: folder, signal: new AbortController().signal },
  )
}

const echo = defineTask<string, string>({
  name: 'echo',
  version: 1,
  reply: 'text',
  prompt: (text) => ({ messages: [{ role: 'user', content: text }] }),
  output: z.string(),
})

const scope = (models: OpenedModels, phase: Phase = 'answer', meter = createMeter()) =>
  models.scope({ phase, sample: 0, seed: [1], meter })

describe('openModels', () => {
  test('opens equal choices once, and asks the judge in its phase alone', async () => {
    let opened = 0
    let closed = 0
    const counted = (name: string): ProviderKind => {
      const provider = fakeProvider({
        name,
        complete: () => name,
        embed: (texts) => texts.map(() => Float32Array.of(1)),
      })
      const kind = kindOf({
        ...provider,
        close: async () => {
          closed++
        },
      })
      return { ...kind, open: (options, context) => (opened++, kind.open(options, context)) }
    }
    const one = counted('one')
    const choice = (use: ProviderKind, concurrency = 8) => ({ use, options: { concurrency } })
    const same = await open({ complete: choice(one), embed: choice(one), judge: choice(one) })
    expect(opened).toBe(1)
    await same.close()
    expect(closed).toBe(1)
    const models = await open({ complete: choice(one), embed: choice(one, 2), judge: choice(counted('two')) })
    expect(opened).toBe(4)
    expect(await scope(models).run(echo, 'x')).toBe('one')
    expect(await scope(models, 'judge').run(echo, 'x')).toBe('two')
  })

  test('loads a model at its first call, once, and not where nothing asks it', async () => {
    const loaded: string[] = []
    const late = (name: string, load: () => Promise<void>): ModelRequest => ({
      use: kindOf({ ...fakeProvider({ name, complete: () => name, embed: () => [Float32Array.of(1)] }), load }),
      options: {},
    })
    const noting = (name: string) => late(name, async () => void loaded.push(name))
    const broken = late('broken', () => Promise.reject(new UserError('broken: no weights')))
    const models = await open({ complete: noting('one'), embed: noting('two'), judge: broken })
    const stopped: string[] = []
    models.watch(['complete', 'embed', 'judge'], ({ message }) => void stopped.push(message))
    expect(await Promise.all(['x', 'y'].map((text) => scope(models).run(echo, text)))).toEqual(['one', 'one'])
    expect(loaded).toEqual(['one'])
    await expect(scope(models, 'judge').run(echo, 'x')).rejects.toBeInstanceOf(UserError)
    expect(stopped).toEqual(['broken: no weights'])
    await models.close()
  })

  test('a model of its own answers, and does nothing else', async () => {
    const named = (name: string): ModelRequest => ({
      use: kindOf(fakeProvider({ name, complete: () => name, embed: () => [Float32Array.of(1)] })),
      options: {},
    })
    const alone = await open({ complete: named('large') })
    expect(await scope(alone, 'answer').run(echo, 'x')).toBe('large')
    expect(alone.describe()).not.toHaveProperty('answer')
    const both = await open({ complete: named('large'), answer: named('small') })
    const said = await Promise.all(
      (['index', 'retrieve', 'answer', 'judge'] as const).map((phase) => scope(both, phase).run(echo, 'x')),
    )
    expect(said).toEqual(['large', 'large', 'small', 'large'])
    expect(both.describe()).toMatchObject({ complete: { provider: 'large' }, answer: { provider: 'small' } })
  })

  test('one limit holds for all that shares a provider', async () => {
    const server = await serve({ latencyMs: 5 })
    const choice = { use: 'openai', options: { model: 'm', baseUrl: server.url, concurrency: 3 } }
    const models = await open({ complete: choice, embed: choice, judge: choice })
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => [
        scope(models).run(echo, `a${index}`),
        scope(models, 'judge').run(echo, `b${index}`),
        scope(models).embed([`c${index}`]),
      ]).flat(),
    )
    expect(server.hits).toHaveLength(36)
    expect(server.busiest()).toBe(3)
    await models.close()
  })

  test.each<[string, Partial<Record<ModelRole, ModelRequest>>, RegExp]>([
    ['an unknown kind', { complete: { use: 'opanai', options: {} } }, /models.complete: .*did you mean "openai"/],
    ['an unknown option', { embed: { use: 'fake', options: { repli: 'x' } } }, /models.embed: .*repli/],
    ['a wrong option', { judge: { use: 'fake', options: { retries: -1 } } }, /models.judge.retries: /],
    [
      'a kind that cannot do it',
      { embed: { use: kindOf(fakeProvider({ name: 'mute' })), options: {} } },
      /"mute" cannot embed/,
    ],
  ])('says in one line that there is %s', async (_name, choices, message) => {
    const failure = open(choices)
    await expect(failure).rejects.toBeInstanceOf(UserError)
    await expect(failure).rejects.toThrow(message)
  })

  test('a key that is missing is named in the role concerned', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    const failure = open({ judge: { use: 'openai', options: { model: 'm' } } })
    await expect(failure).rejects.toThrow(/OPENAI_API_KEY or models\.judge\.apiKey; .* set models\.judge\.baseUrl$/)
    vi.unstubAllEnvs()
  })

  test('describes its models, names those that are none, and keeps every key to itself', async () => {
    const server = await serve()
    const secrets = { apiKey: 'sk-very-secret', headers: { 'x-gate': 'gate-word' } }
    const cache = await openCache(join(folder, 'secrets'))
    const options = { model: 'm', baseUrl: server.url, ...secrets }
    const models = await open({ complete: { use: 'openai', options } }, cache)
    expect(models.describe()).toMatchObject({
      complete: { provider: 'openai', model: 'm', baseUrl: server.url, parameters: { temperature: 0, seed: 42 } },
      embed: { provider: 'fake', model: 'fake' },
      judge: { provider: 'openai' },
    })
    expect(models.offline()).toEqual(['fake'])
    expect(await scope(models).run(echo, 'some words')).toBe('echo: some words')
    expect(server.hits[0]?.headers).toMatchObject({ authorization: 'Bearer sk-very-secret', 'x-gate': 'gate-word' })
    await models.close()
    await cache.close()
    const kept = readdirSync(join(folder, 'secrets')).map((file) =>
      readFileSync(join(folder, 'secrets', file), 'latin1'),
    )
    expect(kept.join('')).toContain('echo: some words')
    expect(JSON.stringify(models.describe()) + kept.join('')).not.toMatch(/sk-very-secret|gate-word/)
  })

  test('a whole run is replayed from disk without a call: same results, same meter, and marked', async () => {
    const server = await serve({
      behave: (_hit, index) => (index % 4 === 1 ? { status: 503, headers: { 'retry-after': '0.01' } } : undefined),
    })
    const place = join(folder, 'replay')
    const run = async (concurrency: number) => {
      const cache = await openCache(place)
      const options = { model: 'm', baseUrl: server.url, concurrency, textsPerRequest: 4 }
      const choice = { use: 'openai', options }
      const models = await open({ complete: choice, embed: choice }, cache)
      const meter = createMeter()
      const asked = scope(models, 'answer', meter)
      const texts = Array.from({ length: 10 }, (_, index) => `text ${index % 7}`)
      const results = await Promise.all([asked.embed(texts), ...texts.map((text) => asked.run(echo, text))])
      await models.close()
      await cache.close()
      return { results, usage: meter.usage('answer'), spent: meter.spent('answer') }
    }
    const cold = await run(16)
    const hits = server.hits.length
    const warm = await run(1)
    expect(server.hits).toHaveLength(hits)
    expect(warm.results).toEqual(cold.results)
    expect(warm.usage).toEqual(cold.usage)
    expect(cold.spent).toMatchObject({ calls: 11, cached: 0 })
    const sent = {
      sent: 0,
      sentTexts: 0,
      sentMilliseconds: 0,
      sentPromptTokens: 0,
      sentCompletionTokens: 0,
      sentEmbeddedTokens: 0,
    }
    expect(warm.spent).toEqual({ ...cold.spent, ...sent, cached: 11 })
  })

  test('calls made once in a run are no cached calls of that run', async () => {
    const cache = inMemoryCache()
    const models = await open({}, cache)
    const meter = createMeter()
    await scope(models, 'answer', meter).run(echo, 'x')
    await scope(models, 'answer', meter).run(echo, 'x')
    expect(meter.spent('answer')).toMatchObject({ calls: 2, cached: 0 })
  })
})
