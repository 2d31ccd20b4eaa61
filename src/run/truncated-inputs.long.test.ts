import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTables } from '../library/write-tables.ts'
import { minilm } from '../models/providers/minilm/minilm.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { readResults } from '../test-support/read-results.ts'
import { run } from './run.ts'

const config = (maxTokens: number) => ({
  chunks: { by: 'none' },
  methods: ['bm25', 'vector'],
  models: { complete: 'extractive', embed: { use: 'minilm', maxTokens } },
})

const runTiny = async (project: string, set: readonly string[] = [], settings = {}): Promise<string> => {
  const { folder } = await run(await tinyPlan(project, set), tinySettings(project, settings))
  await writeTables(folder)
  return folder
}

const read = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8')

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** Tokens that a model without a limit in the way reads of each text. */
async function tokensOf(texts: readonly string[]): Promise<readonly number[]> {
  const provider = await minilm.open(minilm.options.parse({ maxTokens: 512 }), { cacheFolder: '' })
  const counts = []
  for (const text of texts)
    counts.push((await provider.embed?.([text], 'document', new AbortController().signal))?.tokens ?? NaN)
  await provider.close?.()
  return counts
}

const documentsOf = (project: string): Promise<readonly string[]> =>
  Promise.all(['the-bakery.md', 'the-mill.md'].map((name) => read(join(project, 'data', 'documents'), name)))

const note = /^- Truncated embedder inputs.*$/m

test('truncated embedder inputs are counted and reported, at any concurrency and with any cache', async () => {
  const project = await tinyProject(config(10))
  const first = await runTiny(project, ['concurrency=1'])
  const cached = await runTiny(project, ['concurrency=16'], { results: join(project, 'again') })
  const runWithoutCache = await runTiny(await tinyProject(config(10)), [], { cache: false })
  const bytes = (folder: string) =>
    Promise.all(['trials.jsonl', 'scores.jsonl', 'table.md'].map((name) => read(folder, name)))
  expect(await bytes(cached)).toEqual(await bytes(first))
  expect(await bytes(runWithoutCache)).toEqual(await bytes(first))

  const lines = (await readResults(first)).lines.filter(({ method }) => method === 'vector')
  const index = lines.flatMap((line) => (line.line === 'index' ? [line.usage] : []))
  const documents = sum(await tokensOf(await documentsOf(project)))
  expect(index).toMatchObject([
    { embeddedTexts: 2, embeddedTokens: 20, cutTexts: 2, unreadTokens: documents - 20, estimated: 0 },
  ])
  const request = lines.flatMap((line) => (line.line === 'trial' ? [line] : []))
  const questions = await tokensOf(request.map(({ question }) => question.text))
  const cut = questions.map((tokens) => Math.max(0, tokens - 10))
  expect(request.map(({ usage }) => usage.retrieve)).toMatchObject(
    questions.map((tokens, at) => ({ embeddedTexts: 1, embeddedTokens: tokens - (cut[at] ?? 0), estimated: 0 })),
  )
  // one question is short enough, so that both cases are there
  const cutQuestions = cut.filter((tokens) => tokens > 0).length
  expect([cutQuestions, cut.length]).toEqual([2, 3])

  const percent = (unread: number, all: number): string => `${((100 * unread) / all).toFixed(1)} %`
  const table = await read(first, 'table.md')
  expect(note.exec(table)?.[0]).toBe(
    '- Truncated embedder inputs, with the share of unread tokens: ' +
      `vector 2 of 2 at index (${percent(documents - 20, documents)}) and 2 of 3 at retrieve (${percent(sum(cut), sum(questions))}).`,
  )
  expect(table).toContain('embeddings by minilm all-MiniLM-L6-v2 (reads 10 tokens of a text);')
  const { usage } = JSON.parse(await read(first, 'table.json')) as { usage: { method: string; phase: string }[] }
  expect(usage.find(({ method, phase }) => method === 'vector' && phase === 'retrieve')).toMatchObject({
    embeddedTexts: 3,
    cutTexts: 2,
    unreadTokens: sum(cut),
    embeddedTokens: sum(questions) - sum(cut),
  })
})
