import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { documentOf, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels, type FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { hyde } from './hyde.ts'

testMethod(hyde)
testMethod(hyde, { options: { passages: 1 } })

const chunks = documentOf('rye bread oven', 'mill wheel oats')

const found = async (options: object, reply: FakeReply) => {
  const models = fakeModels({ replies: { 'imagine-passage': reply } })
  const index = await hyde.index(chunks, models, hyde.options.parse(options))
  return index.retrieve({ id: 'q', text: 'rye' }, { passages: 2, tokens: 99 }, models)
}

test('ranks by the imagined passage', async () => {
  expect(rankedIds(await found({ passages: 1 }, () => 'mill wheel oats'))).toEqual(['c1', 'c0'])
  expect(rankedIds(await found({ passages: 1 }, () => 'rye bread oven'))).toEqual(['c0', 'c1'])
})

test('samples the passages separately and records them in the trial', async () => {
  const [first] = await found({ passages: 3 }, ({ variant }: { variant: number }) => `oven ${variant}`)
  expect(first?.why).toMatchObject({ imagined: ['oven 0', 'oven 1', 'oven 2'] })
})

test('falls back to the question if no passage is readable', async () => {
  const lost: FakeReply = () => {
    throw new ModelError('reply', 'empty')
  }
  const [first] = await found({ passages: 2 }, lost)
  expect(first).toMatchObject({
    from: ['c0'],
    why: { fallback: '2 of 2 imagined passages: the first could not be read' },
  })
})
