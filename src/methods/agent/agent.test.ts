import { expect, test } from 'vitest'
import { z } from 'zod'
import type { SearchStepInput } from '../../tasks/search-step.ts'
import { ask, asking, documentOf, failing } from '../../test-support/ask-method.ts'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import { extractiveReply } from '../../test-support/extractive-replies.ts'
import { testMethod } from '../../testing/index.ts'
import { defineMethod } from '../../define.ts'
import type { Budget, Method } from '../../types.ts'
import { agent } from './agent.ts'

testMethod(await asking(agent, 'bm25'))
testMethod(await asking(agent, 'hybrid'))

const letters = ['a', 'b', 'c', 'd', 'e', 'f']
const chunks = documentOf(...letters)

/** A search tool whose results are in the query: `acd`; all others are empty. */
const scripted = (
  nested: boolean,
): { readonly method: Method; readonly queries: string[]; readonly depths: number[] } => {
  const queries: string[] = []
  const depths: number[] = []
  const method = defineMethod({
    name: 'scripted',
    summary: 'Returns the chunks whose letters are in the query.',
    options: z.strictObject({}),
    async index() {
      return {
        nested,
        async retrieve({ text }, budget) {
          queries.push(text)
          depths.push(budget.passages)
          return Array.from(/^[a-f]+$/.test(text) ? text : '', (letter, rank) => ({
            text: letter,
            score: -rank,
            from: [`c${letters.indexOf(letter)}`],
            kind: 'chunk' as const,
          }))
        },
      }
    },
  })
  return { method, queries, depths }
}

const search = (query: string): string => JSON.stringify({ thought: '', action: 'search', query })
const answer = (text: string): string => JSON.stringify({ thought: '', action: 'answer', answer: text })

/** Replies in turn to the steps of one question. */
const inTurn =
  (replies: readonly string[]): FakeReply =>
  (input) =>
    replies[(input as SearchStepInput).turns.length]

const explore = async (
  replies: FakeReply | readonly string[],
  options: object = {},
  { nested = true, budget = {} }: { nested?: boolean; budget?: Partial<Budget> } = {},
) => {
  const { method, queries, depths } = scripted(nested)
  const reply = typeof replies === 'function' ? replies : inTurn(replies)
  const models = fakeModels({ replies: { 'search-step': reply } })
  const { index, passages, why } = await ask(await asking(agent, method), chunks, {
    text: 'fed',
    options,
    models,
    budget,
  })
  return {
    index,
    passages,
    order: passages.map(({ text }) => text).join(''),
    why,
    inputs: models.calls.map(({ input }) => input as SearchStepInput),
    queries,
    depths,
    ownAnswer: () => index.answer?.({ id: 'q', text: 'fed' }, passages, models),
  }
}

const twoTurns = [search('abc'), search('cde'), answer('x')]

test.each([
  ['turns', 'cadbe'],
  ['found', 'abcde'],
])('ranks passages of all searches by %s', async (merge, order) => {
  const result = await explore(twoTurns, { merge })
  expect(result.order).toBe(order)
  expect(result.inputs).toHaveLength(3)
  expect(result.passages.map(({ score }) => score)).toEqual([-0, -1, -2, -3, -4])
  expect(result.why).toMatchObject({ stopped: 'answered', calls: 3, queries: ['abc', 'cde'], 'agent answer': 'x' })
})

test('ranks a passage of two searches first by reciprocal ranks', async () => {
  expect((await explore(twoTurns, { merge: 'rrf' })).order[0]).toBe('c')
})

test('shows passages with numbers by first sight, and seen ones as numbers only', async () => {
  const { inputs } = await explore(twoTurns)
  expect(inputs[2]?.turns.map(({ observation }) => observation)).toEqual(['[1] a\n[2] b\n[3] c', '[3]\n[4] d\n[5] e'])
  expect(inputs.map(({ remainingTurns: turnsLeft }) => turnsLeft)).toEqual([4, 3, 2])
})

test('reads passages in order of first sight, and records turn, rank and query', async () => {
  const { passages } = await explore(twoTurns)
  expect(passages.map(({ order }) => order)).toEqual([2, 0, 3, 1, 4])
  expect(passages[0]?.why).toMatchObject({ turn: 2, rank: 1, query: 'cde' })
  expect(passages[0]?.why?.['turns of passages']).toEqual([1, 1, 2, 1, 2])
})

test('does not repeat a search for a query in another case, and stops after two', async () => {
  const { queries, inputs, why } = await explore([search('abc'), search('A b c!'), search('ABC'), answer('x')])
  expect(queries).toEqual(['abc'])
  expect(inputs).toHaveLength(3)
  expect(inputs[2]?.turns[1]?.observation).toBe('You searched for this before: [1] [2] [3]')
  expect(why).toMatchObject({ stopped: 'repeated', repeated: 2 })
  expect(why['fallback']).toMatch('repeated queries')
})

test('reads the first complete tag of Search-R1', async () => {
  const { order } = await explore(['<think>x</think><search> abc </search><search>def</search>', '<answer>y</answer>'])
  expect(order).toBe('abc')
})

test('searches the question if the agent answers at once', async () => {
  const { order, why } = await explore([answer('x')])
  expect(order).toBe('fed')
  expect(why['fallback']).toMatch('did not search')
})

test('answers itself with an empty context if it never searched', async () => {
  const { passages, queries, ownAnswer } = await explore([answer('x')], { answer: 'own' })
  expect([passages, queries, await ownAnswer()]).toEqual([[], [], 'x'])
})

test('may answer in one more call after the last search', async () => {
  const { inputs, ownAnswer } = await explore([search('abc'), answer('x')], { answer: 'own', turns: 1 })
  expect(inputs.map(({ remainingTurns: turnsLeft }) => turnsLeft)).toEqual([1, 0])
  expect(await ownAnswer()).toBe('x')
})

test('fails if an agent that has to answer gives no answer', async () => {
  const { ownAnswer } = await explore([search('abc'), search('def')], { answer: 'own', turns: 1 })
  await expect(ownAnswer()).rejects.toThrow('the agent gave no answer')
})

const malformed = ['I think', '{"action": "search", "query": " "}']
const refusedLater: FakeReply = (input) =>
  (input as SearchStepInput).turns.length > 0 ? failing('refused')() : search('abc')

test.each<[string, FakeReply | readonly string[], object, object]>([
  ['two malformed replies', [search('abc'), ...malformed, answer('x')], {}, { stopped: 'malformed', malformed: 2 }],
  ['the last search, if the run answers', [search('abc'), answer('x')], { turns: 1 }, { stopped: 'turns', calls: 1 }],
  ['as many tokens as are allowed', twoTurns, { totalTokens: 4 }, { stopped: 'tokens', observedTokens: 3 }],
  ['two searches without new passages', [...['cab', 'bca', 'abc'].map(search), answer('x')], {}, { stopped: 'empty' }],
  ['a search before a call that fails', refusedLater, {}, { stopped: 'failed' }],
])('stops after %s, and keeps what it saw', async (_name, replies, options, trace) => {
  const { order, inputs, why } = await explore(replies, options)
  expect(order).toBe('abc')
  expect(why).toMatchObject({ ...trace, calls: inputs.length })
})

test.each([
  [true, 50],
  [false, 3],
])('asks a tool whose rankings are nested: %s, for %i passages', async (nested, depth) => {
  const { depths } = await explore([answer('x')], {}, { nested, budget: { passages: 9 } })
  expect(depths).toEqual([depth])
})

/** Models that reply as the offline provider does. */
const offlineModels = () =>
  fakeModels({
    replies: {
      'search-step': (input) => extractiveReply('search-step', input),
      'extract-text-graph': (input) => JSON.parse(extractiveReply('extract-text-graph', input)) as unknown,
      'question-keywords': (input) => JSON.parse(extractiveReply('question-keywords', input)) as unknown,
    },
  })

test('shows the tables of lightrag beside its chunks', async () => {
  const texts = [
    'Ann Vale built the mill in Lisk',
    'Lisk lies on the Orrin',
    'Bob Orr sold the mill',
    'Ann Vale left Lisk',
  ]
  const asked = { text: 'Where did Ann Vale build the mill?', models: offlineModels() }
  const { passages } = await ask(await asking(agent, 'lightrag'), documentOf(...texts), asked)
  expect(new Set(passages.map(({ kind }) => kind))).toEqual(new Set(['chunk', 'facts']))
})

test('ranks all passages seen, also those that exceed the budget', async () => {
  const { order, index } = await explore(twoTurns, {}, { budget: { passages: 1 } })
  expect(index.nested).toBe(true)
  expect(order).toBe((await explore(twoTurns)).order.slice(0, 1))
})

test('equals the ranking of the search tool with one turn for the question', async () => {
  const { order, inputs } = await explore([], { turns: 1, first: 'question' })
  expect([order, inputs]).toEqual(['fed', []])
})

test('truncates a first passage that is too long, with its span', async () => {
  const replies = { 'search-step': inTurn([search('mill'), answer('x')]) }
  const asked = { text: 'mill', options: { turnTokens: 3 }, replies }
  const long = documentOf('the mill by the river was built long ago')
  const { passages } = await ask(await asking(agent, 'bm25'), long, asked)
  const [passage] = passages
  expect(passage?.text.length).toBeLessThan(40)
  expect(passage?.spans).toEqual([{ documentId: 'd', start: 0, end: passage?.text.length }])
})

test.each([
  ['own', true],
  ['run', false],
])('is exempt from the budget only if the agent answers itself: answer %s', async (who, isExempt) => {
  expect((await explore(twoTurns, { answer: who })).index.isExemptFromBudget ?? false).toBe(isExempt)
})
