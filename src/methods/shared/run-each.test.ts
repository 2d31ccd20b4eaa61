import { describe, expect, test } from 'vitest'
import { ModelError, type ModelErrorKind } from '../../errors.ts'
import { nameEntities } from '../../tasks/entities.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { attempt, lossOf, runEach } from './attempt.ts'
/** Models that name a passage, and fail where it is the name of a failure. */
const models = (...kinds: readonly ModelErrorKind[]) =>
  fakeModels({
    replies: {
      'name-entities': ({ passage }: { passage: string }) => {
        const kind = kinds.find((one) => one === passage)
        if (kind !== undefined) throw new ModelError(kind, `played ${kind}`)
        return { named_entities: [passage] }
      },
    },
  })
const each = (...passages: readonly string[]) =>
  runEach(models('reply', 'refused', 'server', 'window', 'network', 'timeout'), nameEntities, passages, (passage) => ({
    passage,
  }))

describe('runEach', () => {
  test('counts an unreadable and a refused reply as one failure each', async () => {
    const found = await each('a', 'reply', 'refused', 'b')
    expect(found.map((one) => one?.named_entities)).toEqual([['a'], undefined, undefined, ['b']])
    expect(await each()).toEqual([])
  })

  test.each(['server', 'window', 'network', 'timeout'])('throws at once for an error of kind %s', async (kind) => {
    await expect(each('a', kind)).rejects.toMatchObject({ name: 'ModelError', kind, message: `played ${kind}` })
  })

  test('throws if all replies fail, for whatever reason', async () => {
    await expect(each('refused', 'reply')).rejects.toMatchObject({
      name: 'ModelError',
      kind: 'refused',
      message: 'name-entities: every reply was refused or could not be read; the first error: played refused',
    })
    await expect(each('reply')).rejects.toMatchObject({ kind: 'reply' })
  })
})

test.each([
  ['reply', 'could not be read'],
  ['refused', 'was refused'],
] as const)('an attempt gives the loss of a call: %s %s', async (kind, words) => {
  const loss = await attempt(models(kind), nameEntities, { passage: kind })
  expect(loss).toBeInstanceOf(ModelError)
  expect(loss instanceof ModelError && lossOf(loss)).toBe(words)
})
