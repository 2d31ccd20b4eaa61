import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDataset, defineMethod, defineScorer, defineTask } from '../define.ts'
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
    'ignores the budget',
    defineMethod({
      ...first(),
      async index(chunks) {
        return {
          retrieve: async () => chunks.map(({ id, text }) => ({ text, score: 1, from: [id], kind: 'chunk' })),
        }
      },
    }),
    'returned 2 passages for a budget of 1; return fewer (corpus "two chunks", question "plain", and ',
  ],
  ['is not sorted', first({}, (found) => found.toReversed()), 'returned passages out of order: number '],
  ['names unknown chunks', first({}, (found) => found.map((one) => ({ ...one, from: ['x'] }))), 'unknown chunk "x"'],
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
    'is not deterministic',
    first({}, (found) =>
      found
        .map((one) => ({ ...one, score: one.score + 1 / ++calls, why: { call: calls } }))
        .sort((a, b) => b.score - a.score),
    ),
    'returned other passages the second time; take chance from models.random()',
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
  ['accepts unknown options', first({ options: z.object({}) }), 'accepts the unknown option "no such option"'],
  ['has no schema', first({ options: {} as never }), '"options" must be a zod object'],
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
    'has statistics that are no JSON',
    first({}, (found) => found, { stats: () => ({ mean: NaN }) }),
    'stats() returned what JSON cannot hold',
  ],
  [
    'has warnings that are no counts',
    first({}, (found) => found, { warnings: () => ({ lost: -1 }) }),
    'warnings() failed: first-chunks: warnings(): "lost" must not be -1: give counts',
  ],
  [
    'has a graph with loose ends',
    first({}, (found) => found, { graph: () => ({ nodes: [], edges: [{ from: 0, to: 1, weight: 1 }] }) }),
    '"edges[0]" must join two of the 0 nodes (corpus "no chunk"',
  ],
  ['has no summary', first({ summary: '' }), 'the summary is ""'],
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
    'returns 600',
    length({ score: async () => ({ metrics: { length: 600 } }) }),
    'gave length = 600, outside 0 to 1: give fractions, or state the metric\'s range in "ranges" (answer "Cats"',
  ],
  ['has no kinds', defineScorer({ ...length(), kinds: undefined as never }), '"kinds" is missing'],
  ['has a kind that is none', length({ kinds: ['essay' as never] }), '"kinds[0]" must not be "essay"'],
  [
    'shows a column that it cannot fill',
    length({ columns: [{ metric: 'size' }] }),
    'shows the column "size", and no score has this metric',
  ],
  [
    'names subsets that are no texts',
    length({ score: async () => ({ metrics: { length: 1 }, subsets: [7 as never] }) }),
    'gave subsets that are no list of texts',
  ],
  [
    'shows as a fraction what is none',
    length({ ranges: { length: [0, 1000] } }),
    `must say unit: 'number', because "ranges" lets length lie between 0 and 1000`,
  ],
  [
    'differs between two calls',
    length({ score: async () => ({ metrics: { length: 1 / ++calls } }) }),
    'gave another score the second time',
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
  ['has the version 0', length({ version: 0 }), 'the version is 0; give a version from 1'],
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
  ['has no files()', { files: undefined }, '"files" is missing: give async files(path, options)'],
  [
    'names evidence nowhere',
    {
      async *corpora(path: string) {
        if (path !== here) throw new UserError(`${path}: no such file`)
        yield { ...corpus, documents: [{ id: 'e', text: 'x' }] }
      },
    },
    'evidence in "d", which is not a document of this corpus',
  ],
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
  ['has no licence', { licence: '' }, 'the licence is ""'],
])('a dataset that %s is refused in one line', async (_what, change, said) =>
  expect(await datasetFindings(one(change), { path: here })).toEqual([expect.stringContaining(said)]),
)

test('a copy with other counts than stated is refused', async () =>
  expect(await datasetFindings(one(), { path: here, counts: { questions: 2 } })).toEqual([
    expect.stringContaining('holds questions 1; expected 2'),
  ]))
