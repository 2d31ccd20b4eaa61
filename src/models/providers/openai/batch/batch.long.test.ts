import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTask } from '../../../../define.ts'
import {
  batchServer,
  type BatchServer,
  type BatchServerOptions,
} from '../../../../test-support/servers/batch-server.ts'
import { tokenizer } from '../../../../text/tokens.ts'
import { inMemoryCache } from '../../../cache/open-cache.ts'
import { openModels, spendingWithin, type OpenedModels } from '../../../index.ts'
import { createMeter } from '../../../meter.ts'
import { openaiOptions, batchSettings } from '../options.ts'
const servers: BatchServer[] = []
const opened: OpenedModels[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((models) => models.close()))
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(options: BatchServerOptions = {}): Promise<BatchServer> {
  const server = await batchServer(options)
  servers.push(server)
  return server
}

const folderOf = (): string => mkdtempSync(join(tmpdir(), 'gembench-batch-'))
const left = (folder: string): readonly string[] => {
  try {
    return readdirSync(join(folder, 'batches'))
  } catch {
    return []
  }
}

interface Opening {
  readonly folder?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
  readonly usd?: number
}

async function open({ url }: BatchServer, { folder = folderOf(), options = {}, signal, usd }: Opening = {}) {
  const batch = { quietSeconds: 0.05, pollSeconds: 0.02 }
  const one = {
    use: 'openai',
    options: { model: 'm', baseUrl: url, apiKey: 'sk-hidden', batch, retries: 2, concurrency: 1, ...options },
  }
  const said: string[] = []
  const models = await openModels(
    { complete: one, embed: one, judge: one },
    {
      ...{ cache: inMemoryCache(), tokenizer: tokenizer('o200k_base'), cacheFolder: folder },
      ...{ signal: signal ?? new AbortController().signal, warn: (line) => said.push(line) },
      ...(usd !== undefined && { spending: spendingWithin({ usd }) }),
    },
  )
  opened.push(models)
  const meter = createMeter()
  const asked = (sample = 0) => models.scope({ phase: 'answer', sample, seed: [1], meter })
  return { models, asked, said, meter, folder }
}

const echo = defineTask<string, string>({
  name: 'echo',
  version: 1,
  reply: 'text',
  prompt: (text) => ({ messages: [{ role: 'user', content: text }] }),
  output: z.string(),
})

const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no failure',
    (error: unknown) => (error as Error).message,
  )

describe('calls by the Batch API', () => {
  test('are collected beyond the concurrency, each gets its own reply, repeats of one body, too, and nothing stays on disk', async () => {
    const server = await serve()
    const { models, asked, said, meter, folder } = await open(server, { options: { seed: null } })
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
    const replies = await Promise.all([...texts.map((text) => asked().run(echo, text)), asked(1).run(echo, 'text 0')])
    expect(replies).toEqual([...texts.map((text) => `echo: ${text}`), 'echo: text 0'])
    expect(server.batches.map(({ lines }) => lines.length)).toEqual([21])
    const [line] = server.batches[0]?.lines ?? []
    expect(line).toMatchObject({ url: '/v1/chat/completions', body: { model: 'm', temperature: 0 } })
    expect(server.hits.find(({ path }) => path === '/v1/batches')?.body).toMatchObject({
      ...{ endpoint: '/v1/chat/completions', completion_window: '24h' },
    })
    expect(server.uploads[0]).toMatch(/name="purpose"\s+batch\s/)
    expect(said).toEqual([
      'openai: batch batch_0 of 21 requests is out, up to 24 hours; a run that is stopped finds it again',
    ])
    expect(meter.spent('answer')).toMatchObject({ calls: 21, milliseconds: 0 })
    expect(left(folder)).toHaveLength(1)
    await models.close()
    expect(left(folder)).toEqual([])
  })

  test('embed texts', async () => {
    const server = await serve()
    const { asked } = await open(server, { options: { textsPerRequest: 2 } })
    const direct = await open(server, { options: { batch: 2 } })
    const texts = ['one', 'two', 'three', 'four', 'five']
    expect(await asked().embed(texts)).toEqual(await direct.asked().embed(texts))
    expect(server.batches.map(({ lines }) => lines.map(({ url }) => url))).toEqual([Array(3).fill('/v1/embeddings')])
    expect(server.hits.filter(({ path }) => path === '/v1/embeddings')).toHaveLength(3)
  })

  test('are tried first by an ordinary request', async () => {
    const server = await serve({
      behave: ({ path }) => (path === '/v1/chat/completions' ? { status: 401 } : undefined),
    })
    const { models, asked } = await open(server)
    const stopped: string[] = []
    models.watch(['complete'], (why) => stopped.push(why.message))
    await expect(asked().run(echo, 'a')).rejects.toThrow('check the key')
    expect(stopped).toHaveLength(1)
    expect(server.uploads).toEqual([])
  })

  test('cost half of the price', async () => {
    const server = await serve()
    const price = { prompt: 1, completion: 2, embedding: 4 }
    const { models, asked } = await open(server, { options: { price, maxTokens: 10 }, usd: 1.3e-5 })
    expect(models.describe().complete.price).toEqual({ prompt: 0.5, completion: 1, embedding: 2 })
    // 10 tokens of a reply and 1 of the prompt are 1.05e-5 at half the price, and 2.1e-5 at the whole
    expect(await asked().run(echo, 'a')).toBe('echo: a')
    await expect(asked().run(echo, 'b')).rejects.toThrow('would exceed the limit')
  })

  test('a batch of an earlier process is found again: nothing is sent twice, also where its id was not yet known', async () => {
    const server = await serve({ ends: () => ({ looks: 3 }) })
    const folder = folderOf()
    const stop = new AbortController()
    const first = await open(server, { folder, signal: stop.signal })
    const interrupted = ['a', 'b', 'c'].map((text) => failureOf(first.asked().run(echo, text)))
    while (first.said.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    stop.abort(new Error('stopped'))
    expect(await Promise.all(interrupted)).toEqual(['stopped', 'stopped', 'stopped'])
    await first.models.close()

    const [file = ''] = left(folder)
    const path = join(folder, 'batches', file)
    const kept = readFileSync(path, 'utf8')
    expect(kept).not.toContain('sk-hidden')
    expect(JSON.parse(kept)).toMatchObject({ baseUrl: server.url, batchId: 'batch_0', fileId: 'file-0' })
    const { batchId: _id, ...unsure } = JSON.parse(kept) as Record<string, unknown>
    writeFileSync(path, JSON.stringify(unsure))

    const second = await open(server, { folder })
    expect(await Promise.all([second.asked().run(echo, 'b'), second.asked().run(echo, 'd')])).toEqual([
      'echo: b',
      'echo: d',
    ])
    expect(server.batches.map(({ lines }) => lines.length)).toEqual([3, 1])
    await second.models.close()
    // a and c were not asked again yet
    expect(left(folder)).toHaveLength(1)
    const third = await open(server, { folder })
    expect(await Promise.all([third.asked().run(echo, 'c'), third.asked().run(echo, 'a')])).toEqual([
      'echo: c',
      'echo: a',
    ])
    expect(server.uploads).toHaveLength(2)
    expect(third.said).toEqual(['openai: batch batch_0 of an earlier run is found again; nothing of it is sent twice'])
  })

  test('a server that breaks off while a batch is made is asked whether it has it', async () => {
    let broken = 0
    const server = await serve({
      behave: ({ path, method }) =>
        path === '/v1/batches' && method === 'POST' && broken++ === 0 ? { broken: 'reset' } : undefined,
    })
    const { asked } = await open(server)
    expect(await asked().run(echo, 'a')).toBe('echo: a')
    expect(server.hits.map(({ path }) => path)).toContain('/v1/batches?limit=100')
    expect(server.batches).toHaveLength(1)
  })

  test('an expired batch keeps what it did, and the rest is sent again', async () => {
    const server = await serve({
      ends: (number) => ({ status: number === 0 ? 'expired' : 'completed' }),
      outcome: ({ body }, number) =>
        number === 0 && JSON.stringify(body).includes('late')
          ? { response: null, error: { code: 'batch_expired', message: 'This request could not be executed.' } }
          : undefined,
    })
    const { asked } = await open(server)
    expect(await Promise.all(['a', 'late'].map((text) => asked().run(echo, text)))).toEqual(['echo: a', 'echo: late'])
    expect(server.batches.map(({ lines }) => lines.length)).toEqual([2, 1])
  })

  test.each<[string, BatchServerOptions, string, number]>([
    [
      'a bad request',
      {
        outcome: () => ({ response: { status_code: 400, body: { error: { message: 'no such tool' } } }, error: null }),
      },
      '400 no such tool',
      1,
    ],
    [
      'a busy server',
      { outcome: () => ({ response: { status_code: 429, body: { error: { message: 'slow down' } } }, error: null }) },
      '429 slow down (3 attempts)',
      3,
    ],
    [
      'a used-up quota',
      {
        outcome: () => ({
          response: { status_code: 429, body: { error: { message: 'pay', code: 'insufficient_quota' } } },
          error: null,
        }),
      },
      '429 pay',
      1,
    ],
    [
      'a wrong key',
      { outcome: () => ({ response: { status_code: 401, body: { error: { message: 'bad key' } } }, error: null }) },
      '401 bad key',
      1,
    ],
    [
      'no line at all',
      { outcome: () => null },
      'the batch batch_2 is completed and has no reply to this request (3 attempts)',
      3,
    ],
    [
      'a failed batch',
      { ends: () => ({ status: 'failed', errors: [{ code: 'invalid_json_line', message: 'line 1' }] }) },
      'the batch batch_0 is failed and has no reply to this request: invalid_json_line: line 1',
      1,
    ],
    [
      'a cancelled batch',
      {
        ends: () => ({ status: 'cancelled' }),
        outcome: () => ({ response: null, error: { code: 'batch_cancelled', message: 'cancelled' } }),
      },
      'the batch did not answer this request: cancelled',
      1,
    ],
    [
      'a reply of another shape',
      { outcome: () => ({ response: { status_code: 200, body: 'hm' }, error: null }) },
      'malformed',
      3,
    ],
    [
      'a refused upload',
      { behave: ({ path }) => (path === '/v1/files' ? { status: 403, error: { message: 'no files' } } : undefined) },
      '403 no files',
      0,
    ],
  ])(
    '%s is a failure after its attempts',
    async (_what, options, message, batches) => {
      const server = await serve(options)
      const { models, asked, folder } = await open(server)
      expect(await failureOf(asked().run(echo, 'a'))).toContain(message)
      expect(server.batches).toHaveLength(batches)
      await models.close()
      expect(left(folder)).toEqual([])
    },
    20_000,
  )

  test('a batch that is not there any more is sent again', async () => {
    const server = await serve({ ends: (number) => ({ looks: number === 0 ? 1000 : 1 }) })
    const folder = folderOf()
    const { models, asked, said } = await open(server, {
      folder,
      options: { batch: { quietSeconds: 0.05, pollSeconds: 60 } },
    })
    void failureOf(asked().run(echo, 'a'))
    while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await models.close()
    const [file = ''] = left(folder)
    const path = join(folder, 'batches', file)
    writeFileSync(path, readFileSync(path, 'utf8').replace('batch_0', 'batch_gone'))
    const later = await open(server, { folder })
    expect(await later.asked().run(echo, 'a')).toBe('echo: a')
    expect(server.batches).toHaveLength(2)
  }, 20_000)

  test('a damaged file of a batch is as none', async () => {
    const server = await serve()
    const { asked, folder } = await open(server)
    await asked().run(echo, 'a')
    for (const file of left(folder)) writeFileSync(join(folder, 'batches', file), '{"name": 3')
    const later = await open(server, { folder })
    expect(await later.asked().run(echo, 'a')).toBe('echo: a')
  })

  test('a server that refuses the schema is asked without it, in the next batch', async () => {
    const listed = defineTask<string, { readonly items: readonly string[] }>({
      ...{ name: 'listed', version: 1, reply: 'json' },
      prompt: (text) => ({ messages: [{ role: 'user', content: text }] }),
      output: z.object({ items: z.array(z.string()) }),
    })
    const server = await serve({
      reply: () => '{"items": ["a"]}',
      outcome: ({ body }) =>
        'response_format' in body
          ? {
              response: { status_code: 400, body: { error: { message: 'response_format is not known' } } },
              error: null,
            }
          : undefined,
    })
    const { asked } = await open(server)
    expect(await asked().run(listed, 'a')).toEqual({ items: ['a'] })
    expect(server.batches).toHaveLength(2)
  })
})

test('the option is a truth value, settings, or as before a number of texts', () => {
  const settings = (batch: unknown) => batchSettings(openaiOptions.parse({ model: 'm', batch }).batch)
  expect(settings(true)).toEqual({ quietSeconds: 10, pollSeconds: 30 })
  expect(settings({ pollSeconds: 5 })).toEqual({ quietSeconds: 10, pollSeconds: 5 })
  expect([settings(false), settings(undefined), settings(64)]).toEqual([undefined, undefined, undefined])
  expect(openaiOptions.safeParse({ model: 'm', batch: 'yes' }).error?.issues[0]?.message).toContain(
    'must be true, false',
  )
})
