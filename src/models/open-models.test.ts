import type { ModelRole } from '../basics/roles.ts'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTask } from '../define.ts'
import { UserError } from '../errors.ts'
import { fakeProvider, kindOf } from '../test-support/fake-provider.ts'
import { fakeServer, type FakeServer, type FakeServerOptions } from '../test-support/servers/server.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Phase } from '../types.ts'
import type { Cache } from './cache/cache.ts'
import { openCache } from './cache/open-cache.ts'
import { openModels, type ModelRequest, type OpenedModels } from './index.ts'
import { createUsageCounter } from './usage-counter.ts'
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

const named = (name: string) =>
  fakeProvider({ name, complete: () => name, embed: (texts) => texts.map(() => Float32Array.of(1)) })

const scope = (models: OpenedModels, phase: Phase = 'answer', counter = createUsageCounter()) =>
  models.scope({ phase, sample: 0, seed: [1], counter })

test('opens equal models once and calls the judge in its phase only', async () => {
  let openCount = 0
  let closeCount = 0
  const countingKind = (name: string): ProviderKind => {
    const close = async () => {
      closeCount++
    }
    const kind = kindOf({ ...named(name), close })
    return { ...kind, open: (options, context) => (openCount++, kind.open(options, context)) }
  }
  const one = countingKind('one')
  const choice = (use: ProviderKind, concurrency = 8) => ({ use, options: { concurrency } })
  const sharedModels = await open({ complete: choice(one), embed: choice(one), judge: choice(one) })
  expect(openCount).toBe(1)
  await sharedModels.close()
  expect(closeCount).toBe(1)
  const models = await open({ complete: choice(one), embed: choice(one, 2), judge: choice(countingKind('two')) })
  expect(openCount).toBe(4)
  expect(await scope(models).run(echo, 'x')).toBe('one')
  expect(await scope(models, 'judge').run(echo, 'x')).toBe('two')
})

test('loads a model once at its first call', async () => {
  const loads: string[] = []
  const late = (name: string, load: () => Promise<void>): ModelRequest => ({
    use: kindOf({ ...named(name), load }),
    options: {},
  })
  const noting = (name: string) => late(name, async () => void loads.push(name))
  const brokenKind = late('broken', () => Promise.reject(new UserError('broken: no weights')))
  const models = await open({ complete: noting('one'), embed: noting('two'), judge: brokenKind })
  const stopReasons: string[] = []
  models.watch(['complete', 'embed', 'judge'], ({ message }) => void stopReasons.push(message))
  expect(await Promise.all(['x', 'y'].map((text) => scope(models).run(echo, text)))).toEqual(['one', 'one'])
  expect(loads).toEqual(['one'])
  await expect(scope(models, 'judge').run(echo, 'x')).rejects.toBeInstanceOf(UserError)
  expect(stopReasons).toEqual(['broken: no weights'])
  await models.close()
})

test('uses models.answer for answers only', async () => {
  const nameRequest = (name: string): ModelRequest => ({ use: kindOf(named(name)), options: {} })
  const alone = await open({ complete: nameRequest('large') })
  expect(await scope(alone, 'answer').run(echo, 'x')).toBe('large')
  expect(alone.describe()).not.toHaveProperty('answer')
  const twoModels = await open({ complete: nameRequest('large'), answer: nameRequest('small') })
  const answers = await Promise.all(
    (['index', 'retrieve', 'answer', 'judge'] as const).map((phase) => scope(twoModels, phase).run(echo, 'x')),
  )
  expect(answers).toEqual(['large', 'large', 'small', 'large'])
  expect(twoModels.describe()).toMatchObject({ complete: { provider: 'large' }, answer: { provider: 'small' } })
})

test('applies one concurrency limit to all users of a provider', async () => {
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
])('reports in one line that there is %s', async (_name, choices, message) => {
  const failure = open(choices)
  await expect(failure).rejects.toBeInstanceOf(UserError)
  await expect(failure).rejects.toThrow(message)
})

test('describes models without keys and names rule-based ones', async () => {
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
  const files = readdirSync(join(folder, 'secrets')).map((file) =>
    readFileSync(join(folder, 'secrets', file), 'latin1'),
  )
  expect(files.join('')).toContain('echo: some words')
  expect(JSON.stringify(models.describe()) + files.join('')).not.toMatch(/sk-very-secret|gate-word/)
})
