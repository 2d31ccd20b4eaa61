import { expect, test } from 'vitest'
import { answerQuestion } from '../tasks/answer-question.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { Passage } from '../types.ts'
import { answer } from './index.ts'

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
