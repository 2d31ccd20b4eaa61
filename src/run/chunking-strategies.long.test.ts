import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { gembench, resultsOf } from '../test-support/cli.ts'
import { tinyProject, writeConfig } from '../test-support/tiny.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { Corpus } from '../types.ts'
import { chunkWithModels } from './execute/chunk-corpus.ts'
import { readResults } from '../test-support/read-results.ts'

const ways = ['tokens', 'sentences', 'paragraphs', 'headings', 'recursive', 'semantic', 'none']

test('vary over chunks.by gives one table of all chunking strategies', async () => {
  const project = await tinyProject({
    methods: ['bm25', 'vector'],
    chunks: { size: 8 },
    budget: { passages: 2, tokens: 1000 },
    vary: { 'chunks.by': ways },
  })
  const folder = await resultsOf(project)
  const table = await readFile(join(project, folder, 'table.md'), 'utf8')
  for (const by of ways) expect(table).toMatch(new RegExp(`\\| bm25 +\\| ${by} `))
  // every row counts the calls by which the subject was found, and they were made once
  const results = join(project, 'results')
  const runs = readdirSync(results).filter((name) => existsSync(join(results, name, 'trials.jsonl')))
  const semantic = runs.find((name) =>
    /"by": ?"semantic"/.test(readFileSync(join(results, name, 'manifest.json'), 'utf8')),
  )
  const { indexes } = await readResults(join(results, semantic ?? ''))
  const embeddedTexts = new Map(indexes.map(({ method, usage }) => [method, usage.embeddedTexts]))
  expect(embeddedTexts.get('bm25')).toBeGreaterThan(0)
  expect(embeddedTexts.get('vector')).toBeGreaterThan(embeddedTexts.get('bm25') ?? Infinity)
})

test.each([
  [{ by: 'tokens', path: true }, /chunks\.path: is for chunks\.by: headings; remove it, or set chunks\.by/],
  [{ by: 'headings', percentile: 90 }, /chunks\.percentile: is for chunks\.by: semantic/],
  [{ by: 'semantic', percentile: 101 }, /chunks\.percentile: .*100/],
  [{ by: 'heading' }, /chunks\.by.*did you mean "headings"/],
])('%j is refused where it stands', async (chunks, message) => {
  const project = await tinyProject({})
  await writeConfig(project, { chunks })
  const { code, err } = await gembench(project, 'validate', '-c', 'tiny.yaml')
  expect([code, err]).toEqual([2, expect.stringMatching(message)])
  expect(err).toMatch(/^error tiny\.yaml:\d+:\d+: /)
})

test('an embedder that fails makes the trials of its corpus fail, with the reason', async () => {
  const embed = () => Promise.reject(new ModelError('server', 'status 500'))
  const models = { scope: () => ({ ...fakeModels(), embed }) }
  const corpus: Corpus = { id: 'c', documents: [{ id: 'd', text: 'One is here. Two is there.' }], questions: [] }
  const settings = { by: 'semantic', size: 50, overlap: 0, tokenizer: 'o200k_base' } as const
  const cut = await chunkWithModels(corpus, settings, { models, seed: 42 })
  expect(cut).toMatchObject({ chunks: [], failure: { kind: 'server' } })
})
