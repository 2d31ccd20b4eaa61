import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../../records.ts'
import { fakeServer, type FakeServer } from '../../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

let server: FakeServer
beforeAll(async () => void (server = await fakeServer({ latencyMs: 20 })))
afterAll(() => server.close())

/** Runs a method in a file on the tiny project with a server's models; what the server was asked, and the lines. */
async function asked(index: string) {
  const model = { use: 'openai', baseUrl: server.url, model: 'm', apiKey: 'none' }
  const project = await tinyProject({ methods: ['./mine.ts'], models: { complete: model, embed: 'fake' } })
  await writeFile(
    join(project, 'mine.ts'),
    `import { defineTask, z } from 'gembench'
     const sing = defineTask({ name: 'sing', version: 1, reply: 'text', output: z.string(),
       prompt: (of: string) => ({ messages: [{ role: 'user', content: of }] }) })
     export const mine = { name: 'mine', summary: '', options: z.strictObject({}), costs: () => 'unknown', tasks: [sing], ${index} }`,
  )
  const before = server.hits.length
  const { folder } = await run(await tinyPlan(project), tinySettings(project, { cache: false }))
  const lines = (await readFile(join(folder, 'trials.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as IndexLine | TrialLine)
  const calls = lines.reduce(
    (sum, line) =>
      sum + (line.line === 'index' ? line.usage.calls : line.usage.retrieve.calls + line.usage.answer.calls),
    0,
  )
  // the try of a model before its first call is no call of a row
  const hits = server.hits.slice(before).filter(({ body }) => JSON.stringify(body).includes('of mine'))
  return { calls, hits: hits.length, trials: lines.filter((line) => line.line === 'trial') }
}

test('retrieve() that asks the models of index() fails, and makes no call', async () => {
  const { calls, hits, trials } = await asked(
    `index: async (chunks, models) => ({ retrieve: async ({ text }) => { await models.run(sing, 'of mine: ' + text); return [] } })`,
  )
  for (const { failure } of trials)
    expect(failure?.message).toMatch(
      /^the models of index\(\) were asked after it had returned: await every call before it returns; every function is given models of its own \(mine\.ts:/,
    )
  expect({ calls, hits }).toEqual({ calls: 0, hits: 0 })
})

test('calls that index() does not await are counted as those of the index', async () => {
  const { calls, hits, trials } = await asked(
    `index: async (chunks, models) => { const all = Promise.all(chunks.map(({ text }) => models.run(sing, 'of mine: ' + text)))
       return { retrieve: async () => { await all; return [] } } }`,
  )
  expect(hits).toBeGreaterThan(2)
  // and the answers, one a question without a context
  expect(calls).toBe(hits + trials.filter(({ usage }) => usage.answer.calls > 0).length)
})
