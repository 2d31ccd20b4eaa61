import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { batchServer, type BatchServer } from '../../test-support/servers/batch-server.ts'
import { cli, gembenchWith } from '../../test-support/cli.ts'

const key = 'sk-never-on-disk-0815'
const gembench = gembenchWith({ MY_KEY: key })
const servers: BatchServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

/**
 * Replies of a model that takes part in everything: what a task of JSON is asked for, and else a word of the prompt.
 */
function replyTo(body: Readonly<Record<string, unknown>>): string {
  const task = (body['response_format'] as { json_schema?: { name?: string } } | undefined)?.json_schema?.name
  const asked = JSON.stringify(body['messages'])
  if (task === 'decompose-claims') return JSON.stringify({ claims: [`It is ${asked.length}.`] })
  if (task === 'verify-claims')
    return JSON.stringify({ statements: [{ statement: 'It is.', reason: 'so', verdict: asked.length % 2 }] })
  return String((asked.length % 4) + 1)
}

function folderWith(server: BatchServer, batch: boolean): string {
  const here = mkdtempSync(join(tmpdir(), 'gembench-batch-run-'))
  const options = batch ? ', batch: { quietSeconds: .5, pollSeconds: .1 }' : ''
  writeFileSync(
    join(here, 'gembench.yaml'),
    `name: b
dataset: { use: sample, limit: 8, options: { kinds: answer } }
models:
  complete: { use: openai, model: m, baseUrl: '${server.url}', apiKey: '\${MY_KEY}', retries: 1${options} }
  embed: { use: fake }
methods: [closed-book, bm25, vector]
scorers: [qasper-f1, factual-correctness]
repeats: 2
`,
  )
  return here
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

const tablesOf = (here: string): Readonly<Record<string, string>> => {
  const [folder = ''] = readdirSync(join(here, 'results'))
  return Object.fromEntries(
    ['table.md', 'table.csv', 'usage.csv', 'table.tex', 'trials.jsonl', 'scores.jsonl'].map((name) => [
      name,
      readFileSync(join(here, 'results', folder, name), 'utf8'),
    ]),
  )
}

test('a run by batches that is killed in the middle sends nothing twice, and its tables are those of a run without', async () => {
  const server = await batchServer({ reply: replyTo, ends: () => ({ looks: 25 }) })
  servers.push(server)
  const plain = folderWith(server, false)
  expect((await gembench(plain, 'run', '--config', 'gembench.yaml', '--quiet')).code).toBe(0)
  // but for the try of the model
  const asked = server.hits.map(({ body }) => JSON.stringify(body)).filter((body) => !body.includes('Reply with: OK'))
  const here = folderWith(server, true)

  const env = { PATH: process.env['PATH'], GEMBENCH_CACHE: join(here, 'cache'), MY_KEY: key, NO_COLOR: '1' }
  const child = spawn(process.execPath, [cli, 'run', '--config', 'gembench.yaml', '--quiet'], {
    cwd: here,
    env,
    detached: true,
    stdio: 'ignore',
  })
  const died = new Promise((resolve) => child.once('exit', resolve))
  while (server.batches[0] === undefined || server.batches[0].looks < 2)
    await new Promise((resolve) => setTimeout(resolve, 20))
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await died
  const uploads = server.uploads.length

  const resumed = await gembench(here, 'run', '--config', 'gembench.yaml', '--quiet')
  expect(resumed.code).toBe(0)
  const sent = server.batches.flatMap(({ lines }) => lines.map(({ body }) => JSON.stringify(body)))
  expect(new Set(sent).size).toBe(sent.length)
  expect(uploads).toBe(1)
  expect(sent).toHaveLength(asked.length)
  expect(sent.toSorted()).toEqual(asked.toSorted())

  const withBatches = tablesOf(here)
  for (const [name, text] of Object.entries(tablesOf(plain))) expect([name, withBatches[name]]).toEqual([name, text])
  expect(withBatches['table.md']).toContain('factual')
  for (const file of filesIn(here)) expect([file, readFileSync(file, 'latin1').includes(key)]).toEqual([file, false])
  expect(filesIn(join(here, 'cache')).filter((file) => file.includes('batches'))).toEqual([])
}, 100_000)
