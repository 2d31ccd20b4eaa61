import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { gembenchProcessWith, type CliEnded } from '../../test-support/cli.ts'
import { startRedis, withoutRedis, type TestRedis } from '../../test-support/servers/redis.ts'
import { fakeServer } from '../../test-support/servers/server.ts'
import { tinyProject, writeConfig } from '../../test-support/tiny.ts'
import { startWorker, type TestWorker } from '../../test-support/worker.ts'
import type { Outcome } from '../run.ts'
import type { Table } from '../../report/table/table.ts'
import type { IndexLine, TrialLine } from '../../records.ts'

if (withoutRedis !== undefined) process.stderr.write(`workers.test.ts is skipped: ${withoutRedis}\n`)

/** What a run has printed with `--json`. */
function outcomeOf({ out, err }: CliEnded): Outcome {
  if (out === '') throw new Error(err)
  return JSON.parse(out) as Outcome
}

/** Everything of a run that does not depend on the machine and its cache. */
async function filesOf(project: string, ended: CliEnded): Promise<Readonly<Record<string, string>>> {
  const { folder } = outcomeOf(ended)
  const names = ['trials.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex']
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(project, folder, name), 'utf8')]),
  )
  const table: unknown = JSON.parse(await readFile(join(project, folder, 'table.json'), 'utf8'))
  const alike = JSON.stringify(table, (key, value: unknown) => (ofTimeAndCache.includes(key) ? undefined : value))
  return { ...Object.fromEntries(texts), 'table.json': alike } as Record<string, string>
}

/** Fields of a table that depend on the machine, and on what the cache held. */
const ofTimeAndCache = ['cached', 'milliseconds', 'seconds', 'newTexts', 'newEmbeddedTokens']

/** The keys of the calls that a run has used, sorted. */
async function usedBy(project: string, ended: CliEnded): Promise<readonly string[]> {
  const { folder } = outcomeOf(ended)
  return (await readFile(join(project, folder, 'used-calls.jsonl'), 'utf8')).trimEnd().split('\n').sort()
}

const workers: TestWorker[] = []
const redises: TestRedis[] = []

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
  await Promise.all(redises.map((redis) => redis.stop()))
})

async function ownRedis(password?: string): Promise<TestRedis> {
  const redis = await startRedis(password)
  redises.push(redis)
  return redis
}

function work(...args: Parameters<typeof startWorker>): TestWorker {
  const worker = startWorker(...args)
  workers.push(worker)
  return worker
}

/** Runs tiny.yaml with a cache and results of its own. */
const run = (project: string, name: string, ...args: string[]): Promise<CliEnded> =>
  gembenchProcessWith({ GEMBENCH_CACHE: join(project, `cache-${name}`) })(
    ...([project, 'run', '-c', 'tiny.yaml', '--json', '--results', `results-${name}`, ...args] as const),
  )

/** Whether a request only tries the model. */
const isTry = (body: Readonly<Record<string, unknown>>): boolean =>
  /Reply with: OK|\["try"\]/.test(JSON.stringify(body))

describe.skipIf(withoutRedis !== undefined)('with a Redis', () => {
  test('two workers produce the same files as one process, byte for byte, and fill the cache', async () => {
    const project = await tinyProject({
      models: { complete: 'extractive', embed: 'fake', rerank: 'fake' },
      methods: [
        ...['closed-book', 'random', 'bm25', 'vector', 'gem-rag', 'raptor', 'full-context', 'oracle'],
        { use: 'rerank', by: 'model' },
      ],
      repeats: 2,
    })
    const redis = await ownRedis()
    const two = [work(project, 'one', [redis.url]), work(project, 'two', [redis.url, '--concurrency', '2'])]
    await Promise.all(two.map((worker) => worker.waitFor('listening')))
    const byItself = await run(project, 'alone')
    const alone = await filesOf(project, byItself)
    const together = await run(project, 'together', '--workers', redis.url)
    expect(await filesOf(project, together)).toEqual(alone)
    expect(await usedBy(project, together)).toEqual(await usedBy(project, byItself))
    // that the calls are known already, to Redis alone, changes nothing
    const known = await run(project, 'known', '--workers', redis.url)
    expect(await usedBy(project, known)).toEqual(await usedBy(project, byItself))
    await cp(join(project, 'cache-together'), join(project, 'cache-again'), { recursive: true })
    const again = await run(project, 'again')
    const { usage } = JSON.parse(again.out) as Table
    const asked = usage.filter(({ phase }) => phase !== 'judge')
    expect(asked.map(({ cached }) => cached)).toEqual(asked.map(({ calls }) => calls))
    expect(await Promise.all(two.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0])
    await rm(project, { recursive: true })
  })

  // these three mostly wait
  test.concurrent('a killed worker loses no result and duplicates none', async () => {
    const server = await fakeServer({ latencyMs: 100 })
    const model = { use: 'openai', model: 'm', baseUrl: server.url }
    const project = await tinyProject({
      models: { complete: model, embed: model },
      repeats: 12,
      scorers: ['qasper-f1'],
    })
    const redis = await ownRedis()
    const three = ['one', 'two', 'three'].map((name) => work(project, name, [redis.url, '--concurrency', '2']))
    await Promise.all(three.map((worker) => worker.waitFor('listening')))
    const alone = await filesOf(project, await run(project, 'alone'))
    // every process tries a model once before its first call
    const asked = (): number => server.hits.filter(({ body }) => !isTry(body)).length
    const calls = asked()
    const running = run(project, 'together', '--workers', redis.url)
    while (asked() < calls + 40) await sleep(10)
    await three[0]?.end('SIGKILL')
    const together = await filesOf(project, await running)
    expect(together).toEqual(alone)
    // what the killed worker had under way is asked again, and nothing else
    expect(asked() - 2 * calls).toBeLessThanOrEqual(2)
    const lines = (together['trials.jsonl'] ?? '').trim().split('\n')
    const ids = lines.map((line) => (JSON.parse(line) as IndexLine | TrialLine).id)
    expect(new Set(ids).size).toBe(ids.length)
    await server.close()
    await rm(project, { recursive: true })
  })

  test.concurrent(
    'a run without workers says so; a job that ends its workers fails, and the next run repeats it',
    async () => {
      const project = await tinyProject({ methods: ['bm25', 'oracle'] })
      const lonely = await ownRedis()
      const running = run(project, 'late', '--workers', lonely.url)
      const client = new Redis(lonely.url)
      const indexes = async (): Promise<string[]> => client.keys('gembench:*:jobs:index-????????????????')
      while ((await indexes()).length < 2) await sleep(50)
      // as after three workers
      for (const key of await indexes()) await client.hset(key, 'stc', 3)
      await sleep(10_500)
      const late = work(project, 'late', [lonely.url])
      const ended = await running
      expect(ended.err).toContain(
        `no worker is listening at ${lonely.url}; start one, here or elsewhere: gembench work ${lonely.url}`,
      )
      expect([ended.code, outcomeOf(ended).trials]).toEqual([3, { made: 6, kept: 0, failed: 6 }])
      const lines = (await filesOf(project, ended))['trials.jsonl'] ?? ''
      expect(lines.match(/3 workers ended while they worked on it, and it was not begun again/g)).toHaveLength(8)
      const again = await run(project, 'late', '--workers', lonely.url)
      expect(outcomeOf(again).trials).toEqual({ made: 6, kept: 0, failed: 0 })
      const alone = await filesOf(project, await run(project, 'alone'))
      expect((await filesOf(project, again))['table.md']).toBe(alone['table.md'])
      expect((await client.keys('gembench:*')).filter((key) => !key.startsWith('gembench:calls:'))).toEqual([])
      client.disconnect()
      await late.end('SIGTERM')
      await lonely.stop()
      await rm(project, { recursive: true })
    },
  )

  test.concurrent(
    'losing Redis ends run and worker with one line, and the run continues later without Redis',
    async () => {
      const server = await fakeServer({ latencyMs: 100 })
      const model = { use: 'openai', model: 'm', baseUrl: server.url }
      const project = await tinyProject({
        models: { complete: model, embed: 'fake' },
        repeats: 12,
        scorers: ['qasper-f1'],
      })
      const lost = await ownRedis()
      const worker = work(project, 'lost', [lost.url, '--concurrency', '1'])
      const running = run(project, 'lost', '--workers', lost.url)
      while (server.hits.length < 20) await sleep(10)
      await lost.stop()
      const { code, err } = await running
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(
          /^the key of the queue is in .*\nerror redis:.*: Redis was lost for 10 s \(.*\); finished work is kept; run the same command again to continue\n$/,
        ),
      ])
      expect(await worker.end('SIGCONT')).toBe(2)
      const resumed = await run(project, 'lost')
      expect(outcomeOf(resumed).trials.kept).toBeGreaterThan(5)
      expect((await filesOf(project, resumed))['table.md']).toBe(
        (await filesOf(project, await run(project, 'alone')))['table.md'],
      )
      await server.close()
      await rm(project, { recursive: true })
    },
  )

  test('a worker without an API key of the config is reported on both sides, and keys are never sent', async () => {
    const server = await fakeServer()
    const model = { use: 'openai', model: 'm', baseUrl: server.url, apiKey: '${TEST_MODEL_KEY}' }
    const models = { complete: model, embed: 'fake' }
    const project = await tinyProject({ models, methods: ['./mine.ts', 'bm25'], scorers: ['qasper-f1'] })
    await writeFile(join(project, 'mine.ts'), ownMethod)
    const key = { TEST_MODEL_KEY: 'sk-quite-secret-8472' }
    const guarded = await ownRedis('pass-word-1234')
    const url = guarded.url.replace('//', '//:pass-word-1234@')
    const allow = ['--allow', join(project, 'mine.ts'), '--allow', 'TEST_MODEL_KEY']
    const without = work(project, 'without', [url, ...allow])
    await without.waitFor('listening')
    const flags = ['run', '-c', 'tiny.yaml', '--json', '--workers', url]
    const running = gembenchProcessWith(key)(project, ...flags)
    await without.waitFor('environment variable TEST_MODEL_KEY is not set')
    const withKey = work(project, 'with', [url, ...allow], key)
    const ended = await running
    expect(ended.err).toMatch(/worker \d+ on .*: no part is taken: .*environment variable TEST_MODEL_KEY is not set/)
    const trials = (await filesOf(project, ended))['trials.jsonl'] ?? ''
    expect(trials).toContain('"method":"mine"')
    expect(trials).not.toContain('"failure"')
    const client = new Redis(url)
    const kept = await client.mgetBuffer(await client.keys('gembench:calls:*'))
    expect(kept.length).toBeGreaterThan(2)
    client.disconnect()
    const said = [...kept.map(String), ended.err, ended.out, without.output(), withKey.output()].join('\n')
    expect(said).not.toMatch(/sk-quite-secret|pass-word-1234/)

    await writeConfig(project, { models: { ...models, complete: { ...model, apiKey: 'sk-typed-in-59382' } } })
    expect(await gembenchProcessWith(key)(project, ...flags)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error --workers: a key, header or password is written out in the config.*\n$/),
    })
    await Promise.all([without.end('SIGTERM'), withKey.end('SIGTERM'), guarded.stop(), server.close()])
    await rm(project, { recursive: true })
  })

  test('a worker uses only the plug-ins, programs and variables that it allows', async () => {
    const project = await tinyProject({ methods: ['./mine.ts', 'bm25'] })
    await writeFile(join(project, 'mine.ts'), ownMethod)
    const redis = await ownRedis()
    const strict = work(project, 'strict', [redis.url])
    await strict.waitFor('listening')
    const running = run(project, 'strict', '--workers', redis.url)
    await strict.waitFor(`runs the plug-in ${join(project, 'mine.ts')}, and this worker was not started with --allow`)
    const open = work(project, 'open', [redis.url, '--allow', join(project, 'mine.ts')])
    expect(outcomeOf(await running).trials).toEqual({ made: 6, kept: 0, failed: 0 })
    await Promise.all([strict.end('SIGTERM'), open.end('SIGTERM'), redis.stop()])
    await rm(project, { recursive: true })
  })

  test('a program reads the environment variables of the worker', async () => {
    const row = { use: 'command', run: ['node', 'mine.mjs'], env: ['TEST_SECRET'] }
    const project = await tinyProject({ methods: [row] })
    await writeFile(join(project, 'mine.mjs'), '')
    const redis = await ownRedis()
    const strict = work(project, 'strict', [redis.url, '--allow', 'node'], { TEST_SECRET: 'hush' })
    const running = run(project, 'strict', '--workers', redis.url)
    await strict.waitFor('reads the variable TEST_SECRET, and this worker was not started with --allow TEST_SECRET')
    await redis.stop()
    await Promise.all([running, strict.end('SIGTERM')])
    await rm(project, { recursive: true })
  })

  test('messages with an invalid signature are dropped and counted, and a worker with another key does not join', async () => {
    const project = await tinyProject({ methods: ['bm25'] })
    const redis = await ownRedis()
    const client = new Redis(redis.url)
    const other = work(project, 'other', [redis.url], { GEMBENCH_QUEUE_KEY: 'another' })
    await other.waitFor('listening')
    const running = run(project, 'forged', '--workers', redis.url)
    await other.waitFor('was not signed with the key of the queue that is here; set GEMBENCH_QUEUE_KEY')
    const [id] = await client.smembers('gembench:runs')
    const forged = { job: 'index-1', line: null, drew: false, spent: {} }
    await client.rpush(`gembench:${id}:results`, JSON.stringify(forged), 'null', 'no JSON')
    await client.rpush(`gembench:${id}:refusals`, 'worker 1: one\u001b[31m\nerror: two')
    expect(await client.ttl(`gembench:${id}:jobs:meta`)).toBeGreaterThan(0)
    const own = work(project, 'own', [redis.url])
    const ended = await running
    expect(outcomeOf(ended).trials).toEqual({ made: 3, kept: 0, failed: 0 })
    expect(ended.err).toContain('3 entries of the queue were not signed with its key and were dropped')
    expect(ended.err).toContain('worker 1: one [31m error: two\n')
    // a call that someone else wrote is made again, and never kept
    const calls = await client.keys('gembench:calls:*')
    for (const key of calls) await client.set(key, 'forged')
    expect(await run(project, 'again', '--workers', redis.url)).toMatchObject({ code: 0 })
    client.disconnect()
    await Promise.all([other.end('SIGTERM'), own.end('SIGTERM'), redis.stop()])
    await rm(project, { recursive: true })
  })

  test('invalid settings are refused in one line', async () => {
    const project = await tinyProject()
    const guarded = await ownRedis('pass-word-1234')
    const errorOf = async (...flags: string[]): Promise<readonly [number, string]> => {
      const { code, err } = await run(project, 'none', ...flags)
      return [code, err]
    }
    expect(await errorOf('--workers', guarded.url.replace('//', '//:wrong-word@'))).toEqual([
      2,
      `error ${guarded.url}: Redis refuses the user name or password, or wants one: redis://NAME:PASSWORD@HOST:PORT\n`,
    ])
    await guarded.stop()
    const [code, err] = await errorOf('--workers', guarded.url)
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^error redis:.*: no Redis can be reached there \(connect ECONNREFUSED .*\n$/),
    ])
    expect(await errorOf('--workers', 'localhost')).toEqual([
      2,
      'error "localhost" is no address of a Redis; expected one such as redis://localhost:6379\n',
    ])
    expect(await errorOf('--workers', guarded.url, '--budget-calls', '5')).toEqual([
      2,
      expect.stringContaining("'--budget-calls <number>' cannot be used with option '--workers <redis>'"),
    ])
    await rm(project, { recursive: true })
  })
})

/** A plug-in's method: the first chunk. */
const ownMethod = `
import { defineMethod, z } from 'gembench'
export const mine = defineMethod({
  name: 'mine', summary: 'The first chunk.', options: z.strictObject({}),
  index: async ([first]) => ({ retrieve: async () => first ? [{ text: first.text, kind: 'chunk', from: [first.id], score: 1 }] : [] }),
})
`
