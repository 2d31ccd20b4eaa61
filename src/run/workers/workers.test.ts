import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gembenchWith, type CliEnded } from '../../test-support/cli.ts'
import { startRedis, withoutRedis, type TestRedis } from '../../test-support/redis.ts'
import { fakeServer } from '../../test-support/server.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { startWorker, type TestWorker } from '../../test-support/worker.ts'
import type { Table } from '../../report/table/table.ts'
import type { IndexLine, TrialLine } from '../../records.ts'

if (withoutRedis !== undefined) process.stderr.write(`workers.test.ts is skipped: ${withoutRedis}\n`)

/** Everything of a run that does not depend on the machine and its cache. */
async function filesOf(project: string, { out, err }: CliEnded): Promise<Readonly<Record<string, string>>> {
  const { folder } = JSON.parse(out || `"${err}"`) as { folder: string }
  const names = ['trials.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex']
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(project, folder, name), 'utf8')]),
  )
  const table = JSON.parse(await readFile(join(project, folder, 'table.json'), 'utf8')) as Table
  const usage = table.usage.map(({ cached: _cached, milliseconds: _milliseconds, ...rest }) => rest)
  return { ...Object.fromEntries(texts), 'table.json': JSON.stringify({ ...table, usage }) } as Record<string, string>
}

describe.skipIf(withoutRedis !== undefined)('with a Redis', () => {
  let redis: TestRedis
  const workers: TestWorker[] = []
  beforeAll(async () => void (redis = await startRedis()))
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
    await redis.stop()
  })
  const work = (cwd: string, ...args: string[]): TestWorker => {
    const worker = startWorker(cwd, `worker-${workers.length}`, [redis.url, ...args])
    workers.push(worker)
    return worker
  }
  /** Runs tiny.yaml with a cache and results of its own. */
  const run = (project: string, name: string, ...args: string[]): Promise<CliEnded> =>
    gembenchWith({ GEMBENCH_CACHE: join(project, `cache-${name}`) })(
      ...([project, 'run', '-c', 'tiny.yaml', '--json', '--results', `results-${name}`, ...args] as const),
    )

  test('two workers give the files of one machine, byte for byte, and leave its cache behind', async () => {
    const project = await tinyProject({
      methods: ['closed-book', 'random', 'bm25', 'vector', 'gem-rag', 'raptor', 'full-context', 'oracle'],
      repeats: 2,
    })
    const two = [work(project), work(project, '--concurrency', '2')]
    await Promise.all(two.map((worker) => worker.says('listening')))
    const alone = await filesOf(project, await run(project, 'alone'))
    const together = await run(project, 'together', '--workers', redis.url)
    expect(await filesOf(project, together)).toEqual(alone)
    await cp(join(project, 'cache-together'), join(project, 'cache-again'), { recursive: true })
    const again = await run(project, 'again')
    const { usage } = JSON.parse(again.out) as Table
    const asked = usage.filter(({ phase }) => phase !== 'judge')
    expect(asked.map(({ cached }) => cached)).toEqual(asked.map(({ calls }) => calls))
    expect(await Promise.all(two.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0])
    await rm(project, { recursive: true })
  })

  test('a worker that is killed loses nothing and doubles nothing', async () => {
    const server = await fakeServer({ latencyMs: 100 })
    const model = { use: 'openai', model: 'm', baseUrl: server.url }
    const project = await tinyProject({
      models: { complete: model, embed: model },
      repeats: 12,
      scorers: ['qasper-f1'],
    })
    const three = [1, 2, 3].map(() => work(project, '--concurrency', '2'))
    await Promise.all(three.map((worker) => worker.says('listening')))
    const alone = await filesOf(project, await run(project, 'alone'))
    const calls = server.hits.length
    const running = run(project, 'together', '--workers', redis.url)
    while (server.hits.length < calls + 40) await new Promise((resolve) => setTimeout(resolve, 10))
    await three[0]?.end('SIGKILL')
    const together = await filesOf(project, await running)
    expect(together).toEqual(alone)
    // what the killed worker had under way is asked again, and nothing else
    expect(server.hits.length - 2 * calls).toBeLessThanOrEqual(2)
    const lines = (together['trials.jsonl'] ?? '').trim().split('\n')
    const ids = lines.map((line) => (JSON.parse(line) as IndexLine | TrialLine).id)
    expect(new Set(ids).size).toBe(ids.length)
    await server.close()
    await rm(project, { recursive: true })
  })
})
