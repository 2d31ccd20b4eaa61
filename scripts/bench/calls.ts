import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { defineTask } from '../../src/define.ts'
import { createUsageCounter, inMemoryCache, openCache, openModels, type Cache } from '../../src/models/index.ts'
import { tokenizer } from '../../src/text/tokens.ts'
import type { Models } from '../../src/types.ts'
import { childArguments, seconds, small, type BenchRow } from './row.ts'

const latencyMs = 200
const concurrency = 64
const calls = small ? 64 : 2000
const replays = small ? 10 : 10_000
const times = small ? 1 : 5

const echo = defineTask({
  name: 'echo',
  version: 1,
  reply: 'text',
  prompt: (input: string) => ({ messages: [{ role: 'user', content: input }] }),
  output: z.string(),
})

/** What the seam adds: to a slow server, and to calls that were made before. */
export async function* callsBench(): AsyncGenerator<BenchRow> {
  const server = await startServers(latencyMs)
  const folder = await mkdtemp(join(tmpdir(), 'gembench-bench-'))
  try {
    const ideal = (Math.ceil(calls / concurrency) * latencyMs) / 1000
    const shares: number[] = []
    for (let time = 0; time < times; time++) shares.push(ideal / (await timeOf(server.url, inMemoryCache(), calls)))
    shares.sort((a, b) => a - b)
    const share = shares[(times - 1) / 2] ?? NaN
    yield {
      name: `c  ${calls} calls of ${latencyMs} ms, ${concurrency} at once`,
      figure: share.toFixed(3),
      goal: '>= 0.97',
      met: share >= 0.97,
      note: `of the ideal ${ideal.toFixed(2)} s: median of ${times}, ${shares[0]?.toFixed(3)} to ${shares.at(-1)?.toFixed(3)}`,
    }
    await timeOf(server.fast, await openCache(folder), replays)
    const duration = await timeOf(server.fast, await openCache(folder), replays)
    yield {
      name: `e  replay of ${replays} cached calls`,
      figure: `${duration.toFixed(2)} s`,
      goal: '< 0.3 s',
      met: duration < 0.3,
    }
  } finally {
    server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Seconds for that many different calls through the whole seam. */
async function timeOf(baseUrl: string, cache: Cache, count: number): Promise<number> {
  const choice = { use: 'openai', options: { model: 'm', baseUrl, concurrency } }
  const embed = { use: 'fake', options: {} }
  const client = await openModels(
    { complete: choice, embed, judge: choice },
    { cache, tokenizer: tokenizer('o200k_base'), cacheFolder: '', signal: new AbortController().signal },
  )
  const models: Models = client.scope({ phase: 'answer', sample: 0, seed: [0], counter: createUsageCounter() })
  await models.run(echo, 'warm up')
  const duration = await seconds(() =>
    Promise.all(Array.from({ length: count }, (_, index) => models.run(echo, `call ${index}`))),
  )
  await client.close()
  await cache.close()
  return duration
}

const addresses = z.object({ url: z.string(), fast: z.string() })

/** Two servers in a process of their own: `url` answers after some milliseconds, `fast` at once. */
export async function startServers(
  latencyMs: number,
): Promise<z.infer<typeof addresses> & { readonly stop: () => void }> {
  const child = spawn(process.execPath, [...childArguments('child.ts'), 'servers', String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { ...addresses.parse(JSON.parse(String(line))), stop: () => void child.kill() }
}
