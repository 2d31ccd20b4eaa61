import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../records.ts'
import { gembench } from '../test-support/cli.ts'
import { fakeServer, type FakeServer } from '../test-support/servers/server.ts'
import { tinyProject } from '../test-support/tiny.ts'

const servers: FakeServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A run whose embedder refuses every request with a text that holds some words; what it printed and its lines. */
async function runRefusing(refusal: string) {
  const server = await fakeServer({
    behave: ({ body }) =>
      Array.isArray(body['input']) && body['input'].some((text: string) => text.includes(refusal))
        ? { status: 400, error: { message: 'input is too strange' } }
        : undefined,
  })
  servers.push(server)
  const embed = { use: 'openai', model: 'm', baseUrl: server.url, retries: 0 }
  const models = { complete: 'extractive', embed }
  const project = await tinyProject({ models, methods: ['vector', 'hybrid'], scorers: ['accuracy'] })
  const { code, out } = await gembench(project, 'run', '-c', 'tiny.yaml', '--full')
  const [folder = ''] = /results\/[\w-]+/.exec(out) ?? []
  const writeInput = await readFile(join(project, folder, 'trials.jsonl'), 'utf8')
  const lines = writeInput.trim().split('\n').map((line) => JSON.parse(line) as IndexLine | TrialLine) // prettier-ignore
  return { code, out, lines, project, folder }
}

test('a chunk that the embedder refuses is a warning of the index with the reason, and every question is answered', async () => {
  const { code, out, lines } = await runRefusing('Tamsin Vale')
  expect(code).toBe(0)
  const indexes = lines.filter((line) => line.line === 'index')
  const reason = expect.stringMatching(/^openai could not embed "[^"]*" \(\d+ characters\): 400 input is too strange$/)
  for (const index of indexes)
    expect(index).toMatchObject({
      warnings: { 'texts that could not be embedded, and are near to no question': 1 },
      unembedded: [reason],
    })
  expect(indexes).toHaveLength(2)
  expect(lines.filter((line) => line.failure)).toEqual([])
  expect(out).toContain('Texts that could not be embedded, and are near to no question: vector 1, hybrid 1.')
  expect(out).toMatch(/First text that failed to embed: vector \(openai could not embed "/)
})

test('a question that the embedder refuses fails alone', async () => {
  const { code, lines } = await runRefusing('What did a loaf')
  expect(code).toBe(3)
  const failed = lines.filter((line) => line.line === 'trial' && line.failure)
  expect(failed.map((line) => line.failure?.message)).toEqual(
    ['vector', 'hybrid'].map(
      () => 'openai could not embed "What did a loaf of rye bread cost?" (34 characters): 400 input is too strange',
    ),
  )
})

test('verify does not replay an index with a refused text, because the failed call is not cached', async () => {
  const { project, folder } = await runRefusing('Tamsin Vale')
  const { code, out } = await gembench(project, 'verify', folder, '--trust')
  expect(code).toBe(0)
  expect(out).toContain('retrieval: 6 not replayed (a call is missing)')
})
