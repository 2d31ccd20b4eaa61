import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../records.ts'
import { gembench, gembenchWith } from '../test-support/cli.ts'
import { fakeServer, type Behaviour } from '../test-support/servers/server.ts'
import { tinyProject } from '../test-support/tiny.ts'

const modelAt = (baseUrl: string) => ({ use: 'openai', model: 'm', baseUrl, apiKey: 'sk-1234567890abcdef', retries: 0 })

/** Runs bm25 over three questions with a model at this address. */
async function ran(baseUrl: string, ...flags: readonly string[]) {
  const project = await tinyProject({ methods: ['bm25'], models: { complete: modelAt(baseUrl), embed: 'fake' } })
  return { project, ...(await gembench(project, 'run', '-c', 'tiny.yaml', ...flags)) }
}

test('names the variable of a key that the server refuses', async () => {
  const server = await fakeServer({ behave: () => ({ status: 401, error: { message: 'Incorrect API key' } }) })
  const complete = { ...modelAt(server.url), apiKey: '${WORK_KEY}' }
  const project = await tinyProject({ methods: ['bm25'], models: { complete, embed: 'fake' } })
  const { code, err } = await gembenchWith({ WORK_KEY: 'sk-1234567890abcdef' })(project, 'run', '-c', 'tiny.yaml')
  expect(code).toBe(2)
  expect(err).toMatch(/401 Incorrect API key .*; check the key: WORK_KEY; nothing was asked\n$/)
  await server.close()
})

test.each<[Behaviour, string]>([
  [
    { status: 401, error: { message: 'Incorrect API key', code: 'invalid_api_key' } },
    '401 Incorrect API key (URL); check the key: apiKey of the model, or OPENAI_API_KEY',
  ],
  [
    { status: 404, error: { message: 'The model m does not exist' } },
    '404 The model m does not exist (URL); check model and baseUrl',
  ],
  [
    {
      status: 400,
      error: {
        message: "Unsupported value: 'temperature' does not support 0 with this model.",
        code: 'unsupported_value',
        param: 'temperature',
      },
    },
    "400 Unsupported value: 'temperature' does not support 0 with this model (URL); set temperature: null, or to what the server accepts",
  ],
  [
    { status: 429, error: { message: 'You exceeded your quota', code: 'insufficient_quota' } },
    '429 You exceeded your quota (URL); check the account of the key: its quota is used up',
  ],
])('%j ends the run before the first question, in one line, with exit code 2', async (behaviour, message) => {
  const server = await fakeServer({ behave: () => behaviour })
  const result = await ran(server.url)
  await server.close()
  expect(result).toMatchObject({ code: 2, out: '' })
  const expected = `models.complete: openai "m" cannot be used: ${message.replace('URL', server.url)}; nothing was asked`
  expect(result.err).toBe(`error ${expected}\n`)
  expect(server.hits).toHaveLength(1)
})

test.each<[string, readonly string[]]>([
  ['a run', []],
  ['a series', ['--set', 'vary={chunks.size: [20, 40]}']],
])('%s with an unusable model creates no folder and keeps earlier ones', async (_what, flags) => {
  const server = await fakeServer()
  await server.close()
  const models = { complete: modelAt(server.url), embed: 'fake' }
  const project = await tinyProject({ methods: ['bm25'], models })
  const before = (await readdir(project)).sort()
  const run = ['run', '-c', 'tiny.yaml', ...flags] as const
  const refusal =
    /^error models\.complete: openai "m" cannot be used: .*ECONNREFUSED.*; check baseUrl, .*; nothing was asked\n$/
  expect(await gembench(project, ...run)).toEqual({ code: 2, out: '', err: expect.stringMatching(refusal) as string })
  expect((await readdir(project)).sort()).toEqual(before)
  expect((await gembench(project, ...run, '--set', 'models.complete=extractive', '--quiet')).code).toBe(0)
  const folders = (await readdir(join(project, 'results'))).sort()
  expect((await gembench(project, ...run)).code).toBe(2)
  expect((await readdir(join(project, 'results'))).sort()).toEqual(folders)
})

test('probes an embedder with an embedding request', async () => {
  const isChat = (path: string): boolean => path.endsWith('/chat/completions')
  let lacks = isChat
  const missing: Behaviour = { status: 404, error: { message: 'This is not a chat model' } }
  const server = await fakeServer({ behave: ({ path }) => (lacks(path) ? missing : undefined) })
  const embed = modelAt(server.url)
  const project = await tinyProject({ methods: ['vector'], models: { complete: 'extractive', embed } })
  const run = ['run', '-c', 'tiny.yaml', '--no-cache', '--quiet'] as const
  expect(await gembench(project, ...run)).toEqual({ code: 0, out: '', err: '' })
  lacks = () => true
  const result = await gembench(project, ...run, '--results', 'others')
  await server.close()
  expect(server.hits.filter(({ path }) => isChat(path))).toEqual([])
  expect(result.err).toMatch(/^error models\.embed: openai "m" cannot be used: 404 This is not a chat model/)
})

test('continues after a failure of one call', async () => {
  const server = await fakeServer({ behave: (_hit, index) => (index < 2 ? { status: 500 } : undefined) })
  const result = await ran(server.url, '--json')
  await server.close()
  expect(result.code).toBe(3)
  expect(server.hits).toHaveLength(4)
})

test('ends the run when its first calls fail for one reason, and keeps finished work', async () => {
  let refuses = false
  const server = await fakeServer({
    behave: () => (refuses ? { status: 401, error: { message: 'expired' } } : undefined),
  })
  const { project } = await ran(server.url, '--json', '--limit', '1', '--cache-folder', 'cache')
  refuses = true
  const again = ['run', '-c', 'tiny.yaml', '--cache-folder', 'cache', '--json'] as const
  const hits = server.hits.length
  const cached = await gembench(project, ...again, '--limit', '1', '--results', 'others')
  expect(cached.code).toBe(0)
  expect(server.hits).toHaveLength(hits)
  const result = await gembench(project, ...again)
  await server.close()
  expect(result.code).toBe(2)
  expect(result.err).toContain('openai "m" cannot be used: 401 expired')
  const { folder } = JSON.parse((await gembench(project, ...again, '--limit', '1')).out) as { folder: string }
  const lines = (await readFile(join(project, folder, 'trials.jsonl'), 'utf8')).trim().split('\n')
  const trials = lines.map((line) => JSON.parse(line) as IndexLine | TrialLine).filter(({ line }) => line === 'trial')
  expect(trials.map(({ failure }) => failure)).toEqual([undefined])
})

test('ends the run after 20 equal failures in a row and keeps its answers', async () => {
  const server = await fakeServer({
    behave: (_hit, index) => (index > 3 ? { status: 401, error: { message: 'expired' } } : undefined),
  })
  const result = await ran(server.url, '--set', 'repeats=12', '--set', 'models.complete.concurrency=1', '--no-cache')
  await server.close()
  expect(result.code).toBe(2)
  expect(result.err).toContain('401 expired')
  expect(result.err).toContain('the last 20 calls failed: ')
  // one more is on its way when the last has failed
  expect(server.hits.length).toBeLessThan(26)
})

test('--quiet prints failures with their reasons', async () => {
  const server = await fakeServer({
    behave: (_hit, index) => (index > 0 ? { status: 400, error: { message: 'odd request' } } : undefined),
  })
  const result = await ran(server.url, '--quiet')
  await server.close()
  expect(result).toMatchObject({ code: 3, out: '' })
  expect(result.err).toMatch(/^Failed trials, not in the means: bm25 3 \(400 odd request\)\.\n$/)
})
