import { expect, test } from 'vitest'
import { ask, documentOf, failing, rankedIds } from '../test-support/ask-method.ts'
import type { FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { hyde } from './hyde.ts'

testMethod(hyde)
testMethod(hyde, { options: { passages: 1 } })

const chunks = documentOf('rye bread oven', 'mill wheel oats')

const search = async (passages: number, reply: FakeReply) =>
  (await ask(hyde, chunks, { text: 'rye', options: { passages }, replies: { 'imagine-passage': reply } })).passages

test('ranks by the imagined passage', async () => {
  expect(rankedIds(await search(1, () => 'mill wheel oats'))).toEqual(['c1', 'c0'])
  expect(rankedIds(await search(1, () => 'rye bread oven'))).toEqual(['c0', 'c1'])
})

test('samples the passages separately and records them in the trial', async () => {
  const [first] = await search(3, ({ variant }: { variant: number }) => `oven ${variant}`)
  expect(first?.why).toMatchObject({ imagined: ['oven 0', 'oven 1', 'oven 2'] })
})

test('falls back to the question if no passage is readable', async () => {
  const [first] = await search(2, failing('reply'))
  expect(first).toMatchObject({
    from: ['c0'],
    why: { fallback: '2 of 2 imagined passages: the first could not be read' },
  })
})
