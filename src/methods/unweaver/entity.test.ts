import { expect, test } from 'vitest'
import { fakeModels } from '../../testing/fake-models.ts'
import { type Entity, shortenDescriptions } from './entity-index.ts'
const mention = (name: string, description: string, ...chunks: number[]): Entity => ({ name, description, chunks })

const shorten = (description: string, reply: () => unknown) => {
  const models = fakeModels({ replies: { 'shorten-description': reply } })
  return shortenDescriptions([mention('A', description, 0)], models).then((done) => ({
    ...done,
    description: done.entities[0]?.description,
    calls: models.calls,
  }))
}

test.each([
  [4000, 0],
  [4001, 1],
])('shortens a description of %i characters in %i calls', async (characters, calls) => {
  // a sign of two UTF-16 units is one character
  const long = '🦆'.repeat(characters)
  const done = await shorten(long, () => ['a duck'])
  expect(done.calls).toHaveLength(calls)
  for (const { input } of done.calls) expect(input).toEqual({ name: 'A', description: long })
  expect(done).toMatchObject({ failures: 0, description: calls ? 'a duck' : long })
})

test('truncates an overlong description before the call', async () => {
  const done = await shorten('word '.repeat(31_200), () => ['brief'])
  expect(done.calls).toEqual([
    { task: 'shorten-description', input: { name: 'A', description: 'word '.repeat(31_129).trimEnd() } },
  ])
  expect(done.description).toBe('brief')
})
