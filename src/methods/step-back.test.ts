import { expect, test } from 'vitest'
import { asking, documentOf, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { stepBack } from './step-back.ts'

testMethod(await asking(stepBack, 'vector'))

test('interleaves passages of the question and of the general question', async () => {
  const method = await asking(stepBack, 'bm25')
  const models = fakeModels({ replies: { 'step-back': () => 'mills' } })
  const index = await method.index(documentOf('wheel', 'wheel of oak', 'mills'), models, stepBack.options.parse({}))
  const found = await index.retrieve({ id: 'q', text: 'wheel' }, { passages: 9, tokens: 99 }, models)
  expect(rankedIds(found)).toEqual(['c0', 'c2', 'c1'])
  expect(found[0]?.why).toMatchObject({ asked: ['mills'], 'rank for the question': 1 })
})
