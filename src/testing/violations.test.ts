import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDataset, defineMethod, defineTask } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Index, Method, Passage, Scorer } from '../types.ts'
import { datasetFindings } from './dataset.ts'
import { fakeModels } from './fake-models.ts'
import { methodFindings } from './method.ts'
import { scorerFindings } from './scorer.ts'

const greet = defineTask({
  name: 'greet',
  version: 1,
  reply: 'text',
  prompt: () => ({ messages: [{ role: 'user', content: 'Hello?' }] }),
  output: z.string(),
})

/** The first chunks of the corpus, and what a newcomer changes in it. */
const first = (
  change: Partial<Method> = {},
  alter = (passages: Passage[]): unknown => passages,
  more: Partial<Index> = {},
) =>
  defineMethod({
    name: 'first-chunks',
    summary: 'Takes the first chunks.',
    options: z.strictObject({}),
    async index(chunks) {
      return {
        async retrieve(_query, { passages }) {
          const found = chunks.slice(0, passages).map(({ id, text }, rank) => ({
            text,
            score: 1 / (1 + rank),
            from: [id],
            kind: 'chunk' as const,
          }))
          return alter(found) as Passage[]
        },
        ...more,
      }
    },
    ...change,
  })

test('a valid method passes', async () => expect(await methodFindings(first())).toEqual([]))

let calls = 0
test.each<[string, Method, string]>([
  [
    'gives no text',
    first({}, (found) => found.map((one) => ({ ...one, text: 7 }))),
    'returned a passage (number 1) of which "text" must not be 7 (corpus "one chunk"',
  ],
  ['gives no list', first({}, () => null), 'returned no list of passages; return a list (corpus "no chunk"'],
  [
    'claims spans that it does not quote',
    first({}, (found) => found.map((one) => ({ ...one, spans: [{ documentId: 'one', start: 0, end: 1 }] }))),
    'returned a passage (number 1) whose words are not those of its "spans"',
  ],
  [
    'has statistics that are not flat',
    first({}, (found) => found, { stats: () => ({ sizes: { a: 1 } }) as never }),
    'stats() failed: ',
  ],
  [
    'score() changed what it was given',
    first({
      async index(chunks) {
        ;(chunks as unknown[]).reverse()
        return { retrieve: async () => [] }
      },
    }),
    'index() changed what it was given',
  ],
  ['has an option without a default', first({ options: z.strictObject({ k: z.number() }) }), 'without options: k: '],
  [
    'runs a task that it does not declare',
    first({
      async index(_chunks, models) {
        await models.run(greet, {})
        return { retrieve: async () => [] }
      },
    }),
    'ran the task "greet", which its "tasks" do not name',
  ],
  [
    'has a graph with loose ends',
    first({}, (found) => found, { graph: () => ({ nodes: [], edges: [{ from: 0, to: 1, weight: 1 }] }) }),
    '"edges[0]" must join two of the 0 nodes (corpus "no chunk"',
  ],
])('a method that %s is refused in one line', async (_what, method, said) => {
  const models = () => fakeModels({ replies: { greet: () => 'Hello.' } })
  expect(await methodFindings(method, { models })).toEqual([expect.stringContaining(said)])
})

const length = (change: Partial<Scorer> = {}): Scorer =>
  ({
    name: 'length',
    version: 1,
    summary: 'Scores length.',
    source: 'own',
    kinds: ['answer'],
    options: z.strictObject({}),
    columns: [{ metric: 'length' }],
    score: async ({ answer }) => ({ metrics: { length: Math.min(1, answer.text.length / 10) } }),
    ...change,
  }) satisfies Scorer

test('a valid scorer passes', async () => expect(await scorerFindings(length())).toEqual([]))

test.each<[string, Scorer, string]>([
  [
    'names subsets that are no texts',
    length({ score: async () => ({ metrics: { length: 1 }, subsets: [7 as never] }) }),
    'gave subsets that are no list of texts',
  ],
  [
    'changes its input',
    length({
      async score(asked) {
        ;(asked.context as unknown[]).length = 0
        return { metrics: { length: 0 } }
      },
    }),
    'score() changed what it was given',
  ],
  [
    'runs a task that it does not declare',
    length({ score: async (_asked, models) => ({ metrics: { length: (await models.run(greet, {})).length / 10 } }) }),
    'ran the task "greet"',
  ],
  ['gives nothing', length({ score: async () => undefined as never }), 'score() gave undefined: '],
])('a scorer that %s is refused in one line', async (_what, scorer, said) => {
  const models = () => fakeModels({ replies: { greet: () => 'Hello.' } })
  const faults = await scorerFindings(scorer, { models })
  expect(faults.slice(0, 1)).toEqual([expect.stringContaining(said)])
  for (const fault of faults) expect(fault).not.toContain('\n')
})

test('a scorer can state its own range', async () => {
  const wide = length({
    ranges: { length: [0, 1000] },
    columns: [{ metric: 'length', unit: 'number' }],
    score: async () => ({ metrics: { length: 600 } }),
  })
  expect(await scorerFindings(wide)).toEqual([])
})

const here = import.meta.filename
const corpus = {
  id: 'c',
  documents: [{ id: 'd', text: 'One.' }],
  questions: [
    {
      id: 'q',
      text: 'What?',
      reference: { kind: 'answer', accepted: [{ text: 'One' }] },
      evidence: [{ documentId: 'd' }],
    },
  ],
} as const
const one = (change: object = {}) =>
  defineDataset({
    name: 'one',
    summary: 'One question.',
    source: 'own',
    licence: 'none',
    options: z.strictObject({}),
    evidence: true,
    async files(path: string) {
      if (path !== here) throw new UserError(`${path}: no such file`)
      return [path]
    },
    async *corpora(path: string) {
      if (path !== here) throw new UserError(`${path}: no such file`)
      yield corpus
    },
    ...change,
  })

test('a valid dataset passes', async () =>
  expect(await datasetFindings(one(), { path: here, counts: { questions: 1 } })).toEqual([]))

test.each<[string, object, string]>([
  [
    'the second time; yield the same in order',
    {
      async *corpora(path: string) {
        if (path !== here) throw new UserError(`${path}: no such file`)
        yield { ...corpus, id: `c${++calls}` }
      },
    },
    'the second time; yield the same in order',
  ],
  [
    'throws something else for a missing path',
    {
      async files(path: string) {
        if (path !== here) throw new Error('ENOENT')
        return [path]
      },
    },
    'files() threw Error "ENOENT" for the missing path',
  ],
])('a dataset that %s is refused in one line', async (_what, change, said) =>
  expect(await datasetFindings(one(change), { path: here })).toEqual([expect.stringContaining(said)]),
)

test('a copy with other counts than stated is refused', async () =>
  expect(await datasetFindings(one(), { path: here, counts: { questions: 2 } })).toEqual([
    expect.stringContaining('holds questions 1; expected 2'),
  ]))
