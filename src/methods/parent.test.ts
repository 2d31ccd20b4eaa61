import { expect, test } from 'vitest'
import { ask, documentOf, rankedIds } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { parent } from './parent.ts'

testMethod(parent)
testMethod(parent, { options: { windowTokens: 3 } })

test('ranks a chunk by its best window and returns the whole chunk', async () => {
  const chunks = documentOf('oats and rye and mills and wheels and the river', 'the oven', 'a museum in Lisk')
  const asked = { text: 'the river', options: { windowTokens: 2 }, budget: { passages: 2 } }
  const { passages } = await ask(parent, chunks, asked)
  expect(rankedIds(passages)).toEqual(['c0', 'c1'])
  expect(passages[0]).toMatchObject({
    text: chunks[0]?.text,
    why: { window: expect.stringContaining('river') as string },
  })
})
