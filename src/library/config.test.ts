import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineMethod, defineScorer } from '../define.ts'
import type { RunConfig } from '../run/run-config.ts'
import { run } from './run.ts'

const mine = defineMethod({
  name: 'mine',
  version: 1,
  summary: 'Nothing.',
  options: z.strictObject({ depth: z.int().default(1) }),
  index: async () => ({ retrieve: async () => [] }),
})
const length = defineScorer({
  name: 'length',
  version: 1,
  summary: 'Letters of the answer.',
  source: 'own',
  kinds: ['answer'],
  options: z.strictObject({}),
  ranges: { length: [0, Infinity] },
  columns: [{ metric: 'length', unit: 'number' }],
  score: async ({ answer }) => ({ metrics: { length: answer.text.length } }),
})

/** Each of them compiles. */
const sound: readonly RunConfig[] = [
  {
    dataset: 'sample',
    methods: ['bm25', { use: 'gem-rag', components: 3 }, './mine.ts', mine, { use: 'oracle', label: 'x' }],
  },
  {
    dataset: { use: 'sample', limit: 2, options: { kinds: 'answer' } },
    methods: [{ use: mine, label: 'deep', depth: 2 }],
  },
  {
    dataset: 'sample',
    methods: [{ use: 'hybrid', of: ['bm25', mine, { use: './mine.ts', k: 1 }], weights: [1, 2, 1] }],
  },
  { dataset: { use: './data.ts', path: 'x', options: { any: 1 } }, methods: [{ use: './mine.ts', depth: 2 }] },
  { dataset: { documents: [{ text: 'a' }], questions: [{ question: 'b', answer: 'c' }], limit: 1 }, methods: ['bm25'] },
  { dataset: { documents: 'notes', columns: { question: 'Frage' } }, methods: ['bm25'], budget: { tokens: 100 } },
  {
    name: 'all',
    dataset: 'sample',
    methods: ['bm25'],
    scorers: ['accuracy', length, { use: 'squad', label: 'x' }],
    models: { complete: { use: 'openai', model: 'm' }, embed: 'minilm' },
    vary: { 'chunks.size': [100, 200] },
    compare: { baseline: 'bm25' },
  },
]

/** None of them compiles; never called. */
export const refused = [
  // @ts-expect-error keys that are none, and no budget
  () => run({ nmae: 'x', methodz: ['bm52'], budget: 'lots' }),
  // @ts-expect-error a date is no config
  () => run(new Date()),
  // @ts-expect-error no method of that name
  () => run({ dataset: 'sample', methods: ['bm52'] }),
  // @ts-expect-error no dataset of that name
  () => run({ dataset: 'smaple', methods: ['bm25'] }),
  // @ts-expect-error a text for a number
  () => run({ dataset: 'sample', methods: [{ use: 'gem-rag', components: 'three' }] }),
  // @ts-expect-error an option that the method does not have
  () => run({ dataset: 'sample', methods: [{ use: 'gem-rag', componnents: 3 }] }),
  // @ts-expect-error an option where the method has none
  () => run({ dataset: 'sample', methods: [{ use: 'oracle', components: 3 }] }),
  // @ts-expect-error an option that the dataset does not have
  () => run({ dataset: { use: 'sample', options: { splt: 'dev' } }, methods: ['bm25'] }),
  // @ts-expect-error a document without a text
  () => run({ dataset: { documents: [{ id: 'a' }], questions: [] }, methods: ['bm25'] }),
  // @ts-expect-error a scorer in the place of a method
  () => run({ dataset: 'sample', methods: [length] }),
  // @ts-expect-error a model that the provider needs
  () => run({ dataset: 'sample', methods: ['bm25'], models: { complete: { use: 'openai' } } }),
]

test('a config that does not compile is refused at run time, too', async () => {
  expect(sound.length).toBeGreaterThan(0)
  const said = (config: unknown) => run(config as RunConfig).then(String, (error: unknown) => String(error))
  expect(await said({ nmae: 'x', methodz: ['bm52'], budget: 'lots' })).toContain(
    'unknown key "nmae"; did you mean "name"?',
  )
  expect(await said(new Date())).toContain('"dataset" is missing')
  expect(await said({ dataset: 'sample', methods: [length] })).toContain('config: "methods.0.use" is missing')
})
