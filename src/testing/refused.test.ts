import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDataset, defineMethod, defineScorer, defineTask } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Index, Method, Passage, Scorer } from '../types.ts'
import type { Check } from './check.ts'
import { datasetChecks } from './dataset.ts'
import { fakeModels } from './fake-models.ts'
import { methodChecks } from './method.ts'
import { scorerChecks } from './scorer.ts'

/** What the checks say, one line each. */
async function faultsOf(checks: readonly Check[]): Promise<readonly string[]> {
  const said = await Promise.all(
    checks.map(({ run }) =>
      run().then(
        () => [],
        (error: unknown) => [String(error)],
      ),
    ),
  )
  return said.flat()
}

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

test('a method that keeps its promises passes', async () => expect(await faultsOf(methodChecks(first()))).toEqual([]))

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
    'returned 2 passages for a budget of 1 (corpus "two chunks", question "plain")',
  ],
  [
    'is not sorted',
    first({}, (found) => found.toReversed()),
    'number 1 has the score 0.5, number 2 has 1; return them by score',
  ],
  ['names unknown chunks', first({}, (found) => found.map((one) => ({ ...one, from: ['x'] }))), 'unknown chunk "x"'],
  [
    'gives no text',
    first({}, (found) => found.map((one) => ({ ...one, text: 7 }))),
    'returned a passage (number 1) without a text (corpus "one chunk"',
  ],
  ['gives no list', first({}, () => null), 'returned no list of passages (corpus "no chunk"'],
  [
    'claims spans that it does not quote',
    first({}, (found) => found.map((one) => ({ ...one, spans: [{ documentId: 'one', start: 0, end: 1 }] }))),
    'returned a passage (number 1) whose words are not those of its "spans"',
  ],
  [
    'has statistics that are not flat',
    first({}, (found) => found, { stats: () => ({ sizes: { a: 1 } }) as never }),
    'stats(): ',
  ],
  [
    'is not deterministic',
    first({}, (found) =>
      found
        .map((one) => ({ ...one, score: one.score + 1 / ++calls, why: { call: calls } }))
        .sort((a, b) => b.score - a.score),
    ),
    'expected the same each time: take chance from models.random()',
  ],
  [
    'changes what it is given',
    first({
      async index(chunks) {
        ;(chunks as unknown[]).reverse()
        return { retrieve: async () => [] }
      },
    }),
    'changes what it is given (corpus',
  ],
  ['has an option without a default', first({ options: z.strictObject({ k: z.number() }) }), 'without options: k: '],
  ['accepts unknown options', first({ options: z.object({}) }), 'accepts the unknown option "no such option"'],
  ['has no schema', first({ options: {} as never }), 'options is no zod schema'],
  [
    'runs a task that it does not declare',
    first({
      async index(_chunks, models) {
        await models.run(greet, {})
        return { retrieve: async () => [] }
      },
    }),
    'ran the task "greet", which its "tasks" do not name (they name none)',
  ],
  [
    'has statistics that are no JSON',
    first({}, (found) => found, { stats: () => ({ mean: NaN }) }),
    'stats.mean is NaN',
  ],
  [
    'has warnings that are no counts',
    first({}, (found) => found, { warnings: () => ({ lost: -1 }) }),
    'warnings.lost is -1 (corpus "no chunk"); expected a count',
  ],
  [
    'has a graph with loose ends',
    first({}, (found) => found, { graph: () => ({ nodes: [], edges: [{ from: 0, to: 1, weight: 1 }] }) }),
    'edge 1, from 0 to 1 with weight 1, is not valid (number of nodes: 0) (corpus "no chunk")',
  ],
  ['has no summary', first({ summary: '' }), 'the summary is ""'],
])('a method that %s is refused in one line', async (_what, method, said) => {
  const models = () => fakeModels({ replies: { greet: () => 'Hello.' } })
  expect(await faultsOf(methodChecks(method, { models }))).toEqual([expect.stringContaining(said)])
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

test('a scorer that keeps its promises passes', async () => expect(await faultsOf(scorerChecks(length()))).toEqual([]))

test.each<[string, Scorer, string]>([
  [
    'returns 600',
    length({ score: async () => ({ metrics: { length: 600 } }) }),
    'gave length = 600, outside 0 to 1: give fractions, or state the metric\'s range in "ranges" (answer "Cats"',
  ],
  [
    'has no kinds',
    defineScorer({ ...length(), kinds: undefined as never }),
    'has no kinds of questions that it scores',
  ],
  ['has a kind that is none', length({ kinds: ['essay' as never] }), 'the kind "essay" is none'],
  [
    'shows a column that it cannot fill',
    length({ columns: [{ metric: 'size' }] }),
    'the column "size", which no score fills; it gave "length"',
  ],
  [
    'names subsets that are no texts',
    length({ score: async () => ({ metrics: { length: 1 }, subsets: [7 as never] }) }),
    'gave subsets that are no list of texts',
  ],
  [
    'shows as a fraction what is none',
    length({ ranges: { length: [0, 1000] } }),
    'the column "length" may lie between 0 and 1000; expected { metric: "length", unit: "number" }',
  ],
  [
    'differs between two calls',
    length({ score: async () => ({ metrics: { length: 1 / ++calls } }) }),
    'expected the same: take chance',
  ],
  [
    'changes its input',
    length({
      async score(asked) {
        ;(asked.context as unknown[]).length = 0
        return { metrics: { length: 0 } }
      },
    }),
    'changes what it is given',
  ],
  ['has the version 0', length({ version: 0 }), 'the version is 0; expected a whole number from 1'],
  [
    'runs a task that it does not declare',
    length({ score: async (_asked, models) => ({ metrics: { length: (await models.run(greet, {})).length / 10 } }) }),
    'ran the task "greet"',
  ],
  ['gives nothing', length({ score: async () => undefined as never }), 'gave undefined (answer "Cats"'],
])('a scorer that %s is refused in one line', async (_what, scorer, said) => {
  const models = () => fakeModels({ replies: { greet: () => 'Hello.' } })
  const faults = await faultsOf(scorerChecks(scorer, { models }))
  expect(faults.slice(0, 1)).toEqual([expect.stringContaining(said)])
  for (const fault of faults) expect(fault).not.toContain('\n')
})

test('a range that a scorer states is its own', async () => {
  const wide = length({
    ranges: { length: [0, 1000] },
    columns: [{ metric: 'length', unit: 'number' }],
    score: async () => ({ metrics: { length: 600 } }),
  })
  expect(await faultsOf(scorerChecks(wide))).toEqual([])
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

test('a dataset that keeps its promises passes', async () =>
  expect(await faultsOf(datasetChecks(one(), { path: here, counts: { questions: 1 } }))).toEqual([]))

test.each<[string, object, string]>([
  ['has no files()', { files: undefined }, 'has no function files(path, options); expected one that gives the files'],
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
    'reads otherwise at the second time',
    {
      async *corpora(path: string) {
        if (path !== here) throw new UserError(`${path}: no such file`)
        yield { ...corpus, id: `c${++calls}` }
      },
    },
    'reads otherwise at the second time',
  ],
  [
    'throws something else for a missing path',
    {
      async files(path: string) {
        if (path !== here) throw new Error('ENOENT')
        return [path]
      },
    },
    'says of the missing path',
  ],
  ['has no licence', { licence: '' }, 'has no licence'],
])('a dataset that %s is refused in one line', async (_what, change, said) =>
  expect(await faultsOf(datasetChecks(one(change), { path: here }))).toEqual([expect.stringContaining(said)]),
)

test('a copy that holds something else than was counted is refused', async () =>
  expect(await faultsOf(datasetChecks(one(), { path: here, counts: { questions: 2 } }))).toEqual([
    expect.stringContaining('holds questions 1; expected 2'),
  ]))
