import { expect, test } from 'vitest'
import { chunksOf } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { random } from './random.ts'

testMethod(random)

test('draws different chunks with another seed', async () => {
  const chunks = chunksOf(...Array.from({ length: 30 }, (_, i) => `d: ${i} x`))
  const index = await random.index(chunks, fakeModels(), {})
  const draw = async (seed: number) => {
    const found = await index.retrieve({ id: 'q', text: '' }, { passages: 5, tokens: 9 }, fakeModels({ seed }))
    return found.map(({ from }) => from[0])
  }
  expect(await draw(1)).toHaveLength(5)
  expect(await draw(1)).toEqual(await draw(1))
  expect(await draw(1)).not.toEqual(await draw(2))
})
