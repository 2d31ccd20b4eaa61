import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTask } from '../define.ts'
import { ModelError } from '../errors.ts'
import { cosine } from '../math/vectors.ts'
import { fakeModels } from './fake-models.ts'

const initials = defineTask({
  name: 'initials',
  version: 1,
  reply: 'json',
  prompt: ({ name }: { readonly name: string }) => ({ messages: [{ role: 'user', content: name }] }),
  output: z.array(z.string().length(1)),
})

test('handlers answer tasks, and calls are recorded in order', async () => {
  const models = fakeModels({ replies: { initials: ({ name }: { name: string }) => Array.from(name).slice(0, 2) } })
  expect(await models.run(initials, { name: 'ab' })).toEqual(['a', 'b'])
  expect(await models.run(initials, { name: 'c' })).toEqual(['c'])
  expect(models.calls).toEqual([
    { task: 'initials', input: { name: 'ab' } },
    { task: 'initials', input: { name: 'c' } },
  ])
})

test('an invalid reply, a missing handler and a throwing handler fail like models', async () => {
  const bad = fakeModels({ replies: { initials: async () => ['too long'] } }).run(initials, { name: '' })
  await expect(bad).rejects.toMatchObject({ name: 'ModelError', kind: 'reply', raw: '["too long"]' })
  const missing = fakeModels().run(initials, { name: '' })
  await expect(missing).rejects.toThrow('fakeModels has no reply for the task "initials"')
  const broken = new ModelError('timeout', 'too slow')
  const thrown = fakeModels({
    replies: {
      initials: () => {
        throw broken
      },
    },
  }).run(initials, { name: '' })
  await expect(thrown).rejects.toBe(broken)
})

test('embeddings have unit length, are deterministic, and are similar where words are shared', async () => {
  const models = fakeModels({ dimension: 32 })
  const texts = ['the red cat', 'A red CAT!', 'quantum flux', '', '…']
  const vectors = await models.embed(texts, 'document')
  expect(await models.embed(texts)).toEqual(vectors)
  for (const vector of [...vectors, ...(await models.embedTokens('the red cat'))]) {
    expect(vector).toHaveLength(32)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
  }
  const [first, second, third] = vectors
  expect(cosine(first!, second!)).toBeGreaterThan(cosine(first!, third!))
  expect(await models.embedTokens('the red cat')).toHaveLength(5)
  expect(models.embedded.map(({ role }) => role)).toEqual(['document', undefined])
})

test('random numbers are seeded and tokens are counted', () => {
  expect(fakeModels().random()).toBe(fakeModels({ seed: 42 }).random())
  expect(fakeModels({ seed: 1 }).random()).not.toBe(fakeModels({ seed: 2 }).random())
  expect(fakeModels().countTokens('hello world')).toBe(2)
})
