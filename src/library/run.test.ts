import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineDataset, defineMethod, defineScorer } from '../define.ts'
import { bm25Index } from '../math/bm25.ts'
import { defineProvider } from '../models/index.ts'
import { openResults } from '../run/index.ts'
import { checkScores } from '../run/replay/checks.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { tinyProject } from '../test-support/tiny.ts'
import { words } from '../text/words.ts'
import type { Graph, Method } from '../types.ts'
import type { RunConfig } from '../run/run-config.ts'
import type { RunSettings } from '../run/prepare/settings.ts'
import { run } from './run.ts'

test('a config that varies a config key returns one table of all its runs', async () => {
  const cwd = await tinyProject()
  const config = {
    name: 'mine',
    dataset: { use: 'sample', path: 'data' },
    models: { embed: 'fake' },
    methods: ['bm25'],
  } as const
  const one = await run(config, { cwd })
  expect(one.runs).toEqual([one.folder])
  const { folder, runs, table, manifest } = await run({ ...config, vary: { seed: [1, 2] } }, { cwd })
  expect(basename(folder)).toBe(`mine-series-${manifest.hash}`)
  expect(runs).toHaveLength(2)
  expect(table.rows.map(({ method, variant, trials }) => [method, variant, trials])).toEqual([
    ['bm25', 'seed=1', 3],
    ['bm25', 'seed=2', 3],
  ])
})

test('an invalid graph is counted with its reason, and its row still answers', async () => {
  const cwd = folderOf({})
  const node = { id: 'a', kind: 'entity', text: 'One' }
  const methodWith = (name: string, graph: () => Graph) =>
    defineMethod({
      name,
      version: 1,
      summary: 'Nothing.',
      options: z.strictObject({}),
      index: async () => ({ retrieve: async () => [], graph }),
    })
  const methods = [
    methodWith('loose', () => ({ nodes: [node], edges: [{ from: 0, to: 7, weight: 1 }] })),
    methodWith('broken', () => {
      throw new Error('the store is closed')
    }),
    methodWith('whole', () => ({ nodes: [node], edges: [] })),
  ]
  const dataset = { documents: [{ id: 'd', text: 'One.' }], questions: [{ question: 'Who?', answer: 'One' }] }
  const models = { complete: 'extractive', embed: 'fake' } as const
  const { table, notes } = await run({ name: 'graphs', dataset, models, methods }, { cwd })
  expect(table.rows.map(({ trials, failed, warnings, graph }) => [trials, failed, warnings, graph?.nodes])).toEqual([
    [1, 0, { [`graphs that could not be counted (${looseEdge})`]: 1 }, undefined],
    [1, 0, { 'graphs that could not be counted (the store is closed)': 1 }, undefined],
    [1, 0, {}, 1],
  ])
  expect(notes).toContain(
    `Graphs that could not be counted (${looseEdge}): loose 1; graphs that could not be counted (the store is closed): broken 1.`,
  )
})

const looseEdge = 'loose returned no valid graph: "edges[0]" must join two of the 1 nodes'

describe('objects in place of names', () => {
  let cwd: string
  beforeEach(() => void (cwd = folderOf({})))

  const documents = [
    { id: 'mill', text: 'The mill at Orrin was built by Tamsin Vale. It cost ${HOME} and more.' },
    { id: 'oven', text: 'The oven was sold to a museum in Lisk.' },
  ]
  const questions = [
    { question: 'Who built the mill?', answer: 'Tamsin Vale', evidence: 'built by Tamsin Vale', tags: 'who' },
    { question: 'Where is the oven?', options: ['in Orrin', 'in Lisk'], correct: 2, evidence: { document: 'oven' } },
  ]
  const models = { complete: 'extractive', embed: 'fake' } as const

  /** BM25, and how often its index was asked for. */
  function counted(version: number | undefined, more: Partial<Method> = {}) {
    let indexes = 0
    const method = defineMethod({
      name: 'mine',
      ...(version !== undefined && { version }),
      summary: 'BM25 again.',
      options: z.strictObject({ k1: z.number().default(1.2) }),
      async index(chunks, _models, { k1 }) {
        indexes++
        const index = bm25Index(
          chunks.map(({ text }) => words(text)),
          { k1, b: 0.75 },
        )
        return {
          retrieve: async ({ text }, { passages }) =>
            index.search(words(text), passages).map(({ index: row, score }) => {
              const chunk = chunks[row]!
              return { text: chunk.text, score, from: [chunk.id], kind: 'chunk' }
            }),
        }
      },
      ...more,
    })
    return { method, indexes: () => indexes }
  }
  const settings = (): RunSettings => ({ cwd, cache: false })

  const runOf = (config: Partial<RunConfig>) =>
    run({ dataset: { documents, questions }, methods: [], models, ...config }, settings())

  test('documents and questions can be lists, next to built-in and custom methods', async () => {
    const { rows, comparisons, costs, notes, folder, manifest } = await runOf({
      methods: ['bm25', { use: counted(1).method, label: 'again', k1: 1.5 }],
    })
    expect(rows.map(({ name, trials, failed }) => [name, trials, failed])).toEqual([
      ['bm25', 2, 0],
      ['again', 2, 0],
    ])
    expect(rows[0]?.scores['accuracy']).toMatchObject({ scorer: 'accuracy', metric: 'accuracy', n: 1 })
    expect(rows[0]?.scores['accuracy']?.mean).toBe(rows[1]?.scores['accuracy']?.mean)
    expect(rows[0]?.scores['contains']?.subsets['who']?.n).toBe(1)
    expect(comparisons.map(({ a, b, difference, significant }) => [a, b, difference, significant])).toEqual([
      ['bm25', 'again', 0, false],
    ])
    expect(costs.map(({ method, phase }) => `${method} ${phase}`)).toContain('again answer')
    expect(notes[0]).toContain('documents (object), mine (object)')
    expect(notes[0]).toContain('cannot replay them')
    expect(basename(folder)).toBe(`documents-${manifest.hash}`)
    const passages = await readFile(join(folder, 'passages.jsonl'), 'utf8')
    expect(passages).toContain('It cost ${HOME} and more.')
  })

  test('results are reused for the same version and data, and recomputed otherwise', async () => {
    const first = counted(1)
    const { folder } = await runOf({ methods: [first.method] })
    const again = counted(1)
    expect((await runOf({ methods: [again.method] })).folder).toBe(folder)
    expect([first.indexes(), again.indexes()]).toEqual([1, 0])
    const raised = counted(2)
    expect((await runOf({ methods: [raised.method] })).folder).toBe(folder)
    expect(raised.indexes()).toBe(1)
    const [mill] = documents
    const other = await runOf({
      dataset: { documents: [mill!], questions: questions.slice(0, 1) },
      methods: [again.method],
    })
    expect(other.folder).not.toBe(folder)
  })

  test('datasets, scorers and models can be objects', async () => {
    const dataset = defineDataset({
      name: 'mine',
      version: 1,
      summary: 'One.',
      source: 'own',
      licence: 'own',
      evidence: false,
      options: z.strictObject({ text: z.string().default('A mill.') }),
      files: async () => [],
      async *corpora(_path, { text }) {
        const reference = { kind: 'answer', accepted: [{ text: 'mill' }] } as const
        yield { id: 'c', documents: [{ id: 'd', text }], questions: [{ id: 'q', text: 'What mill?', reference }] }
      },
    })
    const shout = defineProvider({
      name: 'shout',
      version: 1,
      summary: 'Says one word.',
      can: ['complete'],
      options: z.strictObject({ word: z.string() }),
      open: async ({ word }) => ({
        name: 'shout',
        model: 'loud',
        parameters: { word },
        complete: async () => ({ text: word, finish: 'stop' }),
      }),
    })
    const length = defineScorer({
      name: 'length',
      version: 1,
      summary: 'Letters.',
      source: 'own',
      kinds: ['answer'],
      options: z.strictObject({}),
      ranges: { length: [0, 100] },
      columns: [{ metric: 'length', unit: 'number' }],
      score: async ({ answer }) => ({ metrics: { length: answer.text.length } }),
    })
    const { rows, manifest, folder } = await run(
      {
        dataset: { use: dataset, options: { text: 'The mill of Orrin.' } },
        methods: ['bm25'],
        scorers: [length],
        models: { complete: { use: shout, word: 'windmill' }, embed: 'fake' },
      },
      settings(),
    )
    expect(rows[0]?.scores['length']?.mean).toBe(8)
    const results = await openResults(folder, '')
    const replaySettings = { cache: false, cacheFolder: '', signal: new AbortController().signal, isTrusted: true }
    await expect(checkScores(results, replaySettings)).rejects.toThrow(
      'of the program that made the run, and cannot be replayed without it: "length"',
    )
    expect(manifest.name).toBe('mine')
    expect(manifest.models.complete).toMatchObject({
      provider: 'shout',
      model: 'loud',
      parameters: { word: 'windmill' },
    })
  })

  test('a failure of an object is counted like that of a file', async () => {
    const fails = counted(1, { index: async () => Promise.reject(new Error('no index today')) })
    const { rows } = await runOf({ methods: ['bm25', fails.method] })
    expect(rows.map(({ failed }) => failed)).toEqual([0, 2])
  })

  test.each<[string, Partial<RunConfig>, Partial<RunSettings>?]>([
    ['config: methods.0: method "mine" has no version: give one', { methods: [counted(undefined).method] }],
    ['did you mean "evidence"?', { methods: [{ ...counted(1).method, sees: 'evidnce' as 'evidence' }] }],
    ['unknown key in methods.0: "k2"; did you mean "k1"?', { methods: [{ use: counted(1).method, k2: 3 }] }],
    [
      'workers: a run with documents (object) cannot be given',
      { methods: [counted(1).method] },
      { workers: 'redis://localhost' },
    ],
    [
      'config: dataset.questions.0: unknown column "anwser"; did you mean "answer"?',
      { dataset: { documents, questions: [{ question: 'a', anwser: 'b' } as never] } },
    ],
  ])('a mistake is refused in one line: %s', async (said, config, more = {}) => {
    const running = run(
      { dataset: { documents, questions }, methods: ['bm25'], models, ...config },
      { ...settings(), ...more },
    )
    await expect(running).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining(said) })
    await expect(running).rejects.toThrow(/^[^\n]*$/)
  })
})
