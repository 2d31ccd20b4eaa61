import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfigValue, type Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import { createMeter } from '../../models/index.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { indexOf } from '../asking/build-index.ts'
import { chunkCorpus } from '../asking/chunk-corpus.ts'
import { withModels } from '../asking/conditions.ts'
import { retrieve, type Searchable } from '../asking/retrieve.ts'
import { withPlanCorpus } from '../graph/with-corpus.ts'
import { menus } from '../plug-ins/menus.ts'
import { query, queryFile } from '../query.ts'
import { loadIndex, saveIndex, saveTextIndex } from './load.ts'
let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gembench-saved-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const planOf = (config: object): Promise<Plan> =>
  readConfigValue(
    { name: 'saved', dataset: 'sample', models: { complete: 'extractive', embed: 'fake' }, ...config },
    'a test',
    { cwd: process.cwd(), environment: {} },
    menus,
  )

test.each(['algorithm-1', 'best-first'])(
  'every question of the sample retrieves what a fresh index retrieves: %s',
  async (mode) => {
    const plan = await planOf({ methods: [{ use: 'gem-rag', mode, components: 3 }], budget: { passages: 6 } })
    const settings = tinySettings(folder)
    const file = join(folder, `${mode}.json`)
    await writeFile(file, JSON.stringify(await saveIndex(plan, {}, settings)))
    const loaded = await loadIndex(file)
    await withPlanCorpus(plan, {}, settings, async (opened) => {
      const [entry] = opened.methods
      if (!entry) throw new Error('no method')
      const chunked = chunkCorpus(opened.corpus, plan.chunks)
      const fresh = { method: entry.method, chunked, index: await indexOf(entry, chunked, opened, createMeter()) }
      const found = async (searchable: Searchable): Promise<string[]> =>
        Promise.all(
          opened.corpus.questions.map(async ({ id, text }) => {
            const caller = { method: 'gem-rag', corpus: opened.corpus.id, repeat: 0, question: id }
            const found = await withModels(opened, 'retrieve', caller, createMeter(), (models) =>
              retrieve({ id, text }, searchable, plan.budget, models),
            )
            return JSON.stringify(found)
          }),
        )
      const expected = await found(fresh)
      expect(expected.length).toBeGreaterThan(100)
      expect(expected.join()).toContain('"kind":"summary"')
      expect(await found(loaded)).toEqual(expected)
    })
  },
)

const models = { complete: 'extractive', embed: 'fake' }

async function saved(): Promise<{ project: string; file: string }> {
  const project = await tinyProject({ methods: ['bm25', 'gem-rag'], models })
  const file = join(project, 'gem.json')
  await writeFile(file, JSON.stringify(await saveIndex(await tinyPlan(project), {}, tinySettings(project))))
  return { project, file }
}

describe('a question to an exported index', () => {
  test('is answered as by a fresh one, without a call for the index, and by whatever language model is named', async () => {
    const { project, file } = await saved()
    const question = 'Who built the mill at Orrin?'
    const plan = await tinyPlan(project)
    const fresh = await query(plan, { method: 'gem-rag', question }, tinySettings(project, { cache: false }))
    const asked = await queryFile(file, question, plan, tinySettings(project, { cache: false }))
    expect(JSON.stringify([asked.corpus, asked.passages, asked.answer])).toBe(
      JSON.stringify([fresh.corpus, fresh.passages, fresh.answer]),
    )
    expect(asked.usage.index).toMatchObject({ calls: 0, embeddingCalls: 0 })
    const other = await tinyPlan(project, ['models.complete={use: fake, reply: from another model}'])
    const reply = await queryFile(file, question, other, tinySettings(project))
    expect(reply.answer?.text).toBe('from another model')
    expect(reply.passages).toEqual(fresh.passages)
  })

  test('of a text file, with the chunks of the file where the plan names none', async () => {
    const project = await tinyProject()
    const request = { cwd: project, environment: {}, set: ['models.embed=fake', 'chunks.size=20'] }
    const text = join(project, 'data/documents/the-mill.md')
    const index = await saveTextIndex(text, {}, { ...tinySettings(project), ...request })
    expect(index).toMatchObject({ corpus: 'the-mill.md', chunking: { size: 20 }, answers: 'sentence' })
    const file = join(project, 'gem.json')
    await writeFile(file, JSON.stringify(index))
    const { budget, seed, models: named } = await tinyPlan(project)
    const reply = await queryFile(file, 'What stopped?', { budget, seed, models: named }, tinySettings(project))
    expect(reply.passages.length).toBeGreaterThan(0)
  })

  test.each([
    [['models.embed=minilm'], 'were made by the model "fake fake", and models.embed is "minilm all-MiniLM-L6-v2": set'],
    [
      ['models.embed={use: fake, dimensions: 32}'],
      /models\.embed is the same with other settings \(digest [0-9a-f]{16}, not/,
    ],
  ])('%j, an embedder that did not make its vectors, is refused', async (set, said) => {
    const { project, file } = await saved()
    const refused = queryFile(file, 'Why?', await tinyPlan(project, set), tinySettings(project))
    await expect(refused).rejects.toThrow(UserError)
    await expect(refused).rejects.toThrow(said)
  })

  test('no key and no address is in the file', async () => {
    const key = 'sk-very-secret'
    const complete = { use: 'openai', model: 'm', apiKey: key, baseUrl: 'http://127.0.0.1:9/v1', retries: 0 }
    const project = await tinyProject({
      methods: [{ use: 'gem-rag', questions: 0, components: 0 }],
      models: { complete, embed: 'fake' },
    })
    const text = JSON.stringify(await saveIndex(await tinyPlan(project), {}, tinySettings(project)))
    expect(text).not.toContain(key)
    expect(text).not.toContain('127.0.0.1')
    expect(text).not.toContain(project)
  })
})

test.each([
  [['raptor'], 'the index of the method "raptor" cannot be exported; the methods whose index can be: gem-rag'],
  [
    ['bm25', 'raptor'],
    'none of these methods has an index that can be exported: "bm25", "raptor"; add one that has: gem-rag',
  ],
])('%j: %s', async (methods, said) => {
  const project = await tinyProject({ methods })
  await expect(saveIndex(await tinyPlan(project), {}, tinySettings(project))).rejects.toThrow(said)
})

describe('a damaged file is one line', () => {
  const whole = saved().then(({ file }) => readFile(file, 'utf8'))
  const field = (name: string, value: unknown) => (text: string) =>
    JSON.stringify({ ...(JSON.parse(text) as object), [name]: value })

  test.each([
    ['is not JSON, or was cut off', () => ''],
    ['is not JSON, or was cut off (character 1001 of 1000)', (text: string) => text.slice(0, 1000)],
    ['is not JSON, or was cut off', () => 'PK\u0003\u0004'],
    ['is not an exported index: it has no "format"; write one with gembench graph --format gem', () => '[]'],
    ['it has no "format"', () => 'null'],
    ['"format" is "a drawing", not "gembench index"', field('format', 'a drawing')],
    ['is an exported index of version 1, and this gembench reads version 2; export it again', field('version', 1)],
    ['"method" is "vector", which is no method whose index can be loaded', field('method', 'vector')],
    ['"method" is "./mine.ts", which is no method whose index can be loaded', field('method', './mine.ts')],
    ['"method" is "__proto__"', field('method', '__proto__')],
    ['"corpus" is missing', field('corpus', undefined)],
    ['"answers" must not be "sentences" (did you mean "sentence"?)', field('answers', 'sentences')],
    ['"embedder.digest" is missing', field('embedder', { provider: 'fake', model: 'fake' })],
    [
      '"chunking.tokenizer" must not be "o200k"',
      field('chunking', { size: 1, overlap: 0, by: 'tokens', tokenizer: 'o200k' }),
    ],
    ['"chunks[0]" must not be "text"', field('chunks', ['text'])],
    ['index: "memories[0].chunks[0].chunk" is 0, and the file has 0 chunks', field('chunks', [])],
    ['index: it must not be "\\u001b[2J"', field('index', '\u001b[2J')],
    ['"index" is missing', field('index', undefined)],
  ])('%s', async (said, damage) => {
    const file = join(folder, 'damaged.json')
    await writeFile(file, damage(await whole))
    const refused = loadIndex(file)
    await expect(refused).rejects.toThrow(UserError)
    await expect(refused).rejects.toThrow(`${file}: `)
    await expect(refused).rejects.toThrow(said)

    await expect(refused).rejects.not.toThrow(/[\n\u001b]/)
  })

  test('nesting a hundred thousand deep', async () => {
    const file = join(folder, 'deep.json')
    await writeFile(file, `{"format":"gembench index","version":2,"chunks":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)
    await expect(loadIndex(file)).rejects.toThrow(UserError)
  })

  test('a file that is not there', async () => {
    await expect(loadIndex(join(folder, 'none.json'))).rejects.toThrow(/none\.json: cannot be read \(ENOENT/)
  })
})
