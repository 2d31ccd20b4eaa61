import { expect, test } from 'vitest'
import { asking, documentOf, rankedIds } from '../../test-support/ask-method.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { decompose } from '../decompose.ts'
import { hyde } from '../hyde.ts'
import { multiQuery } from '../multi-query.ts'
import { stepBack } from '../step-back.ts'

const texts = ['rye bread', 'mill wheel', 'oats']
const question = { id: 'q', text: 'rye bread' }
const budget = { passages: 1, tokens: 99 }

test.each([
  ['multi-query', multiQuery, 'rephrase-question', []],
  ['multi-query', multiQuery, 'rephrase-question', ['', ' ']],
  ['decompose', decompose, 'split-question', []],
  ['decompose', decompose, 'split-question', [' ']],
  ['step-back', stepBack, 'step-back', ' '],
])('%s: counts and reports an empty reply, and searches by the question alone (%#)', async (_, over, task, reply) => {
  const method = await asking(over, 'bm25')
  const models = fakeModels({ replies: { [task]: () => reply } })
  const index = await method.index(documentOf(...texts), models, over.options.parse({}))
  const passages = await index.retrieve(question, budget, models)
  expect(rankedIds(passages)).toEqual(['c0'])
  expect(passages[0]?.why?.['fallback']).toBe(`the question alone: the reply of ${task} could not be read`)
  expect(passages[0]?.why).not.toHaveProperty('asked')
})

test('embeds the question alone if every imagined passage is empty, and reports it (hyde)', async () => {
  const models = fakeModels({ replies: { 'imagine-passage': () => '\n' } })
  const index = await hyde.index(documentOf(...texts), models, hyde.options.parse({ passages: 2 }))
  const passages = await index.retrieve(question, budget, models)
  expect(rankedIds(passages)).toEqual(['c0'])
  expect(passages[0]?.why?.['fallback']).toMatch(/^2 of 2 imagined passages: the first could not be read/)
})

test.each([
  ['multi-query', multiQuery, 'rephrase-question'],
  ['decompose', decompose, 'split-question'],
])('%s: does not search for a repetition of the example in the prompt, and reports it', async (_, over, task) => {
  const method = await asking(over, 'bm25')
  const asked = { ...question, text: 'rye bread of Tom Reed' }
  const found = async (...replies: readonly string[]) => {
    const models = fakeModels({ replies: { [task]: () => replies } })
    const index = await method.index(documentOf(...texts), models, over.options.parse({}))
    return (await index.retrieve(asked, budget, models))[0]?.why
  }
  const left = `what ${task} repeated of the example in the prompt is left out`
  const some = await found('bread of Tom Reed', 'Is Arden Mill old?', 'the mill')
  expect(some).toMatchObject({ asked: ['bread of Tom Reed', 'the mill'], fallback: `the others: ${left}` })
  const none = await found('Arden Mill')
  expect(none).toMatchObject({ fallback: `the question alone: ${left}` })
  expect(none).not.toHaveProperty('asked')
  expect(await found('the mill')).not.toHaveProperty('fallback')
})
