import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { CompareAnswersInput } from '../tasks/verdicts.ts'
import type { Opponent, ScorerInput } from '../types.ts'
import { pairwise } from './pairwise.ts'

const asked = (text: string, opponents?: readonly Opponent[], canned?: true): ScorerInput => ({
  question: { id: 'q', text: 'Who built it?', reference: { kind: 'summary', accepted: [] } },
  context: [],
  answer: { text, ...(canned && { canned }) },
  ...(opponents && { opponents }),
})
const other = (row: string, text: string): Opponent => ({ row, answer: { text } })

/** A judge that prefers the longer answer, or what it is told. */
const judging = (winner: (input: CompareAnswersInput) => unknown = longer) =>
  fakeModels({
    replies: { 'compare-answers': (input) => ({ reason: 'so', winner: winner(input as CompareAnswersInput) }) },
  })
const longer = ({ first, second }: CompareAnswersInput) =>
  first.length === second.length ? 0 : first.length > second.length ? 1 : 2

const score = (input: ScorerInput, models = judging(), options: object = { criteria: ['directness'] }) =>
  pairwise.score(input, models, pairwise.options.parse(options))

test('reports wins, ties and losses as shares, and the length ratio of winners', async () => {
  const found = await score(
    asked('one two', [other('a', 'one'), other('b', 'six ten'), other('c', 'one two three four')]),
  )
  expect(found).toMatchObject({
    metrics: {
      directness: 0.5,
      directnessWins: 1 / 3,
      directnessLosses: 1 / 3,
      directnessFlips: 0,
      ties: 1 / 3,
      flips: 0,
      lengthRatio: 2,
    },
    parts: {
      pairs: [
        { against: 'a', score: 1 },
        { against: 'b', score: 0.5 },
        { against: 'c', score: 0 },
      ],
    },
  })
})

test('accepts built-in and custom criteria', async () => {
  const models = judging()
  const brief = { name: 'brevity', asks: 'Which answer is shorter?' }
  const options = { criteria: ['informativeness', brief, brief] }
  const found = await score(asked('one two', [other('a', 'one')]), models, options)
  expect(found).toMatchObject({ metrics: { informativeness: 1, brevity: 1 } })
  expect(models.calls).toHaveLength(4)
  expect(models.calls[2]?.input).toMatchObject({ criterion: 'brevity', asks: 'Which answer is shorter?' })
  const { columns } = pairwise
  const named = typeof columns === 'function' ? columns(pairwise.options.parse(options)) : columns
  const shown = named.flatMap(({ metric, shown }) => (shown === false ? [] : [metric]))
  expect(shown).toEqual(['informativeness', 'brevity', 'ties', 'flips', 'lengthRatio'])
  const refused = { criteria: [{ name: 'ties', asks: 'x' }] }
  expect(pairwise.options.safeParse(refused).success).toBe(false)
})

test('counts flips, not wins, for a judge that prefers a position', async () => {
  const found = await score(
    asked('x', [other('a', 'yy')]),
    judging(() => 1),
  )
  expect(found).toMatchObject({ metrics: { directness: 0.5, ties: 1, flips: 1 } })
  expect(found).not.toHaveProperty('metrics.lengthRatio')
})

test('counts a tie without a flip if only one order has a winner', async () => {
  const once = judging(({ first }) => (first === 'x' ? 1 : 0))
  expect(await score(asked('x', [other('a', 'yy')]), once)).toMatchObject({ metrics: { directness: 0.5, flips: 0 } })
})

test('makes the same two calls per criterion from both sides', async () => {
  const [own, others] = [judging(), judging()]
  await score(asked('x', [other('a', 'yy')]), own, {})
  await score(asked('yy', [other('b', 'x')]), others, {})
  const inputs = (models: typeof own) => models.calls.map(({ input }) => JSON.stringify(input)).sort()
  expect(inputs(own)).toHaveLength(8)
  expect(inputs(others)).toEqual(inputs(own))
})

test.each<[string, ScorerInput, string]>([
  ['its own fixed answer', asked('x', [other('a', 'y')], true), 'no model gave the answer: no context was found'],
  ['a failed opponent', asked('x', [{ row: 'a' }]), 'the other row has no answer: its trial failed or was not made'],
  [
    'the canned answer of an opponent',
    asked('x', [{ row: 'a', answer: { text: 'y', canned: true } }]),
    'no model gave the answer of the other row: no context was found',
  ],
  ['no opponent', asked('x', []), 'no other row is compared with it'],
  ['no rows at all', asked('x'), 'there are no answers of other rows to compare with'],
])('does not score %s', async (_, input, skipped) => expect(await score(input)).toEqual({ skipped }))

test('excludes opponents without an answer', async () => {
  const found = await score(asked('xx', [other('a', 'y'), { row: 'b' }]))
  expect(found).toMatchObject({ metrics: { directness: 1 }, parts: { pairs: [{ against: 'a' }] } })
})

test('fails for an unreadable reply', async () => {
  const broken = judging(() => {
    throw new ModelError('reply', 'not JSON')
  })
  await expect(score(asked('x', [other('a', 'y')]), broken)).rejects.toThrow('not JSON')
})
