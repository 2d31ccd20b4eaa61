import { expect, test } from 'vitest'
import { ask, asking, documentOf, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { mmr } from './mmr.ts'

testMethod(await asking(mmr, 'vector'))
testMethod(await asking(mmr, 'bm25'), { options: { lambda: 0 } })

const chunks = documentOf('mill oats', 'mill oats mill oats', 'mill bakery rye')

test.each([
  [1, ['c0', 'c1', 'c2']],
  [0.3, ['c0', 'c2', 'c1']],
])('with lambda %d, the duplicate of the first passage has rank %j', async (lambda, places) => {
  const { passages, why } = await ask(await asking(mmr, 'vector'), chunks, { text: 'mill oats', options: { lambda } })
  expect(rankedIds(passages)).toEqual(places)
  expect(why).toMatchObject({ 'rank before': 1, 'marginal relevance': expect.any(Number) as number })
})

test('embeds passages that are not chunks at query time', async () => {
  const method = await asking(mmr, { use: 'raptor', chunkTokens: 2 })
  const models = fakeModels({ replies: { summarise: () => 'A summary of mills.' } })
  const index = await method.index(chunks, models, mmr.options.parse({}))
  const asked = fakeModels()
  await index.retrieve({ id: 'q', text: 'mill' }, { passages: 9, tokens: 99 }, asked)
  expect(asked.embedded.length).toBeGreaterThan(2)
})
