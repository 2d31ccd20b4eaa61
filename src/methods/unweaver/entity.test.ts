import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ModelError } from '../../errors.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { mergeByName, type Entity, shortenDescriptions } from './entity-index.ts'
const mention = (name: string, description: string, ...chunks: number[]): Entity => ({ name, description, chunks })

describe('mergeByName', () => {
  test('joins descriptions in order and lists a chunk once per mention', () => {
    const merged = mergeByName([
      mention('A', 'one', 0),
      mention('B', 'x', 0),
      mention('A', 'two', 0),
      mention('A', 'three', 2),
    ])
    expect(merged).toEqual([mention('A', 'one two three', 0, 0, 2), mention('B', 'x', 0)])
  })

  test('compares names exactly and sorts them by bytes', () => {
    const names = ['z', 'é', 'a', 'A', ' A', 'Ａ', '灯塔', '😀']
    expect(mergeByName(names.map((name) => mention(name, 'd', 0))).map(({ name }) => name)).toEqual([
      ' A',
      'A',
      'a',
      'z',
      'é',
      '灯塔',
      'Ａ',
      '😀',
    ])
  })

  test('is idempotent', () => {
    const entity = fc.record({ name: fc.constantFrom('a', 'A', 'b', 'é'), description: fc.string(), chunk: fc.nat(5) })
    fc.assert(
      fc.property(fc.array(entity), (mentions) => {
        const once = mergeByName(mentions.map(({ name, description, chunk }) => mention(name, description, chunk)))
        expect(mergeByName(once)).toEqual(once)
      }),
    )
  })
})

describe('shortenDescriptions', () => {
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
  ])('%i characters: %i calls', async (characters, calls) => {
    // a sign of two UTF-16 units is one character
    const long = '🦆'.repeat(characters)
    const done = await shorten(long, () => ['a duck'])
    expect(done.calls).toHaveLength(calls)
    for (const { input } of done.calls) expect(input).toEqual({ name: 'A', description: long })
    expect(done).toMatchObject({ failures: 0, description: calls ? 'a duck' : long })
  })

  test('truncates the description if the reply is unusable', async () => {
    const done = await shorten('ab'.repeat(3000), () => {
      throw new ModelError('reply', 'no list')
    })
    expect(done).toMatchObject({ failures: 1, description: 'ab'.repeat(2000) })
  })

  test('truncates an overlong description before the call', async () => {
    const done = await shorten('word '.repeat(31_200), () => ['brief'])
    expect(done.calls).toEqual([
      { task: 'shorten-description', input: { name: 'A', description: 'word '.repeat(31_129).trimEnd() } },
    ])
    expect(done.description).toBe('brief')
  })

  test('rethrows other failures of the model', async () => {
    const fail = () => {
      throw new ModelError('server', 'down')
    }
    await expect(shorten('x'.repeat(4001), fail)).rejects.toThrow('down')
  })
})
