import { expect, test } from 'vitest'
import { documentOf, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { parent } from './parent.ts'

testMethod(parent)
testMethod(parent, { options: { windowTokens: 3 } })

test('ranks a chunk by its best window and returns the whole chunk', async () => {
  const chunks = documentOf('oats and rye and mills and wheels and the river', 'the oven', 'a museum in Lisk')
  const index = await parent.index(chunks, fakeModels(), parent.options.parse({ windowTokens: 2 }))
  const found = await index.retrieve({ id: 'q', text: 'the river' }, { passages: 2, tokens: 99 }, fakeModels())
  expect(rankedIds(found)).toEqual(['c0', 'c1'])
  expect(found[0]).toMatchObject({ text: chunks[0]?.text, why: { window: expect.stringContaining('river') as string } })
})
