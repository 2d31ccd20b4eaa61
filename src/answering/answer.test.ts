import { describe, expect, test } from 'vitest'
import { answerTurn } from '../tasks/answers/answer-turn.ts'
import { answerQuestion } from '../tasks/answers/answer-question.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { Passage } from '../types.ts'
import { answer, cannedAnswer, promptOf } from './index.ts'

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
])('passages are read by their order, else by rank: %#', async (passages, context) => {
  expect(await contextOf(passages)).toMatchObject({ context })
})

describe('a turn', () => {
  const history = [
    { speaker: 'ann', text: 'Hi.' },
    { speaker: 'bob', text: 'Hello.' },
  ]
  const query = { id: 'q', text: 'Who made it?', history, roles: { asks: 'ann', replies: 'bob' } }
  const asked = { query, kind: 'turn', style: 'short' } as const

  test('is asked with everything that was really said before it, and nothing that a model said', async () => {
    const models = fakeModels({ replies: { [answerTurn.name]: () => 'Ines did.' } })
    expect(await answer(asked, [passage('Ines made it.')], models)).toEqual({ text: 'Ines did.' })
    await answer(asked, [passage('Ines made it.')], models)
    const input = { message: 'Who made it?', history, roles: query.roles, context: 'Ines made it.' }
    expect(models.calls.map(({ input }) => input)).toEqual([input, input])
    const { messages } = promptOf(asked, 'Ines made it.')
    expect(messages[0]?.content).toContain('You are bob in a conversation with ann.')
    expect(messages[0]?.content).toContain('ann: Hi.\nbob: Hello.')
  })

  test('has no fixed answer: without a context the conversation is left', () => {
    expect(cannedAnswer('turn', 'short')).toBeUndefined()
    expect(cannedAnswer('answer', 'short')).toMatchObject({ canned: true })
  })
})
