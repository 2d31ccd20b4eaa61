import { describe, expect, test } from 'vitest'
import { answerTurn, answerSummary, answerQuestion } from '../tasks/answers.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { Passage } from '../types.ts'
import { answer, cannedAnswer, promptOf, styleOf } from './index.ts'

const passage = (text: string, order?: number): Passage => ({
  text,
  score: 1,
  from: [],
  kind: 'chunk',
  ...(order !== undefined && { order }),
})

const contextOf = async (passages: readonly Passage[]): Promise<unknown> => {
  const models = fakeModels({ replies: { [answerQuestion.name]: () => 'yes' } })
  await answer({ query: { id: 'q', text: 'Is it?' }, kind: 'answer', style: 'short' }, passages, models)
  return models.calls[0]?.input
}

test.each([
  [[passage('best'), passage('second'), passage('third')], 'best\n\nsecond\n\nthird'],
  [[passage('best', 2), passage('second', 0), passage('third', 1)], 'second\n\nthird\n\nbest'],
  [[passage('best', 7), passage('second', 7), passage('third', 3)], 'third\n\nbest\n\nsecond'],
])('reads passages in their order, else by rank: %#', async (passages, context) => {
  expect(await contextOf(passages)).toMatchObject({ context })
})

describe('a summary', () => {
  const asked = { query: { id: 'q', text: 'Summarise the meeting.' }, kind: 'summary', style: 'short' } as const

  test('is requested with the context, in any number of sentences, for every answer style', async () => {
    const models = fakeModels({ replies: { [answerSummary.name]: () => 'They met.' } })
    expect(await answer(asked, [passage('One met.'), passage('Two met.')], models)).toEqual({ text: 'They met.' })
    expect(models.calls[0]?.input).toEqual({ question: 'Summarise the meeting.', context: 'One met.\n\nTwo met.' })
    const { messages } = promptOf(asked, 'One met.', {})
    expect(messages[0]?.content).toContain('Use only the context below')
    expect(messages[0]?.content.endsWith('Context:\nOne met.')).toBe(true)
    expect(messages[1]?.content).toBe('Summarise the meeting.')
    expect(promptOf(asked, '', {}).messages[0]?.content).toContain('Answer from what you know.')
  })

  test('is a fixed sentence without context', () => {
    expect(cannedAnswer('summary', 'short')).toEqual({
      text: 'There is no information to answer this question.',
      canned: true,
    })
  })
})

describe('a turn', () => {
  const history = [
    { speaker: 'ann', text: 'Hi.' },
    { speaker: 'bob', text: 'Hello.' },
  ]
  const query = { id: 'q', text: 'Who made it?', history, roles: { asks: 'ann', replies: 'bob' } }
  const asked = { query, kind: 'turn', style: 'short' } as const

  test('is requested with the real history, without model replies', async () => {
    const models = fakeModels({ replies: { [answerTurn.name]: () => 'Ines did.' } })
    expect(await answer(asked, [passage('Ines made it.')], models)).toEqual({ text: 'Ines did.' })
    await answer(asked, [passage('Ines made it.')], models)
    const input = { message: 'Who made it?', history, roles: query.roles, context: 'Ines made it.' }
    expect(models.calls.map(({ input }) => input)).toEqual([input, input])
    const { messages } = promptOf(asked, 'Ines made it.', {})
    expect(messages[0]?.content).toContain('You are bob in a conversation with ann.')
    expect(messages[0]?.content).toContain('ann: Hi.\nbob: Hello.')
  })

  test('has no fixed answer without context', () => {
    expect(cannedAnswer('turn', 'short')).toBeUndefined()
    expect(cannedAnswer('answer', 'short')).toMatchObject({ canned: true })
  })
})

test.each([
  ['short', 'yes', 'short'],
  ['by-reference', 'yes', 'short'],
  ['by-reference', 'one two three four five six seven', 'sentence'],
  ['span-by-reference', 'yes', 'span'],
  ['span-by-reference', 'one two three four five six seven', 'sentence'],
] as const)('answers: %s asks a question with the reference %j for %s', (wanted, text, style) => {
  expect(styleOf(wanted, { kind: 'answer', accepted: [{ text }] })).toBe(style)
})

test.each([
  ['Thought: Ann built it in 1790. Answer: 1790', 'reasoned', '1790'],
  ['Thought: it is not said.\nAnswer:\n the mill ', 'reasoned', 'the mill'],
  ['1790', 'reasoned', '1790'],
  ['Thought: so. Answer:', 'reasoned', 'Thought: so. Answer:'],
  ['Answer: 1790', 'short', 'Answer: 1790'],
] as const)('of %j, asked for %s, the answer is %j', async (reply, style, text) => {
  const models = fakeModels({ replies: { [answerQuestion.name]: () => reply } })
  expect(await answer({ query: { id: 'q', text: 'When?' }, kind: 'answer', style }, [], models)).toEqual({ text })
})
