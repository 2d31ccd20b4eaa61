import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gembenchProcess } from '../../src/test-support/cli.ts'
import { startRedis, withoutRedis } from '../../src/test-support/servers/redis.ts'
import { startWorker } from '../../src/test-support/worker.ts'
import { startServers } from './calls.ts'
import { seconds, type BenchRow, small } from './row.ts'

const latencyMs = 200
const concurrency = 8
const questions = small ? 16 : 600

/** Calls a second of a run whose workers ask a slow server, eight at a time each. */
export async function* workersBench(): AsyncGenerator<BenchRow> {
  const name = (count: number): string =>
    `w  ${questions} calls of ${latencyMs} ms, ${count} workers of ${concurrency} at once`
  if (withoutRedis !== undefined) {
    yield { name: name(1), figure: 'skipped', goal: '', met: null, note: withoutRedis }
    return
  }
  const server = await startServers(latencyMs)
  try {
    for (const count of small ? [1] : [1, 2, 4]) {
      const duration = await timeOf(server.url, count)
      const ideal = (count * concurrency * 1000) / latencyMs
      const rate = questions / duration
      yield {
        name: name(count),
        figure: `${rate.toFixed(0)} calls/s`,
        goal: `${ideal} calls/s`,
        met: null,
        note: `${((100 * rate) / ideal).toFixed(0)} % of what the server allows; the start of the run and its table are not counted`,
      }
    }
  } finally {
    server.stop()
  }
}

/** Seconds of a run with that many workers, less those of the same run when nothing is left to ask. */
async function timeOf(baseUrl: string, count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-bench-'))
  const redis = await startRedis()
  await writeProject(folder, baseUrl)
  const workers = Array.from({ length: count }, (_, index) => startWorker(folder, `cache-${index}`, [redis.url]))
  try {
    await Promise.all(workers.map((worker) => worker.waitFor('listening')))
    const run = async (): Promise<void> => {
      const { code, err } = await gembenchProcess(folder, 'run', '-c', 'config.yaml', '--quiet', '--workers', redis.url)
      if (code !== 0) throw new Error(`the run has failed: ${err}`)
    }
    return (await seconds(run)) - (await seconds(run))
  } finally {
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')))
    await redis.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Questions without a context: a call each. */
async function writeProject(folder: string, baseUrl: string): Promise<void> {
  await writeFile(join(folder, 'document.md'), 'Things weigh what they weigh.\n')
  const lines = Array.from({ length: questions }, (_, index) =>
    JSON.stringify({ question: `What does thing ${index} weigh?`, answer: `${index} grams` }),
  )
  await writeFile(join(folder, 'questions.jsonl'), `${lines.join('\n')}\n`)
  const config = {
    name: 'bench',
    dataset: { documents: 'document.md', questions: 'questions.jsonl' },
    models: { complete: { use: 'openai', model: 'm', baseUrl, concurrency }, embed: 'fake' },
    methods: ['closed-book'],
    scorers: ['qasper-f1'],
    concurrency,
  }
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
}
