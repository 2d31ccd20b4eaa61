import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { asking, documentOf, rankedIds } from '../test-support/ask-method.ts'
import type { situateChunk } from '../tasks/pieces.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { contextual } from './contextual.ts'

type SituateChunkInput = Parameters<typeof situateChunk.prompt>[0]

testMethod(await asking(contextual, 'hybrid'))
testMethod(await asking(contextual, { use: 'bm25' }))

const chunks = documentOf('It was built in 1841.', 'Rye bread is sold.')
const line = ({ chunk }: SituateChunkInput): string => {
  if (!chunk.startsWith('It')) throw new ModelError('refused', 'no')
  return 'About the mill at Orrin.'
}
const query = { id: 'q', text: 'mill Orrin' }

test('finds a chunk by its line and returns it without the line; counts missing lines', async () => {
  const method = await asking(contextual, 'bm25')
  const models = fakeModels({ replies: { 'situate-chunk': line } })
  const long = 'oats '.repeat(8000)
  const index = await method.index(documentOf(...chunks.map(({ text }) => text), long), models, contextual.options.parse({})) // prettier-ignore
  const found = await index.retrieve(query, { passages: 2, tokens: 99 }, models)
  expect(rankedIds(found)).toEqual(['c0'])
  expect(found[0]).toMatchObject({ text: 'It was built in 1841.', why: { line: 'About the mill at Orrin.' } })
  const { document, chunk } = models.calls[0]?.input as SituateChunkInput
  expect(chunk).toBe('It was built in 1841.')
  expect(document).toMatch(/^It was built in 1841\. {2}Rye bread is sold\. {2}oats oats .* oats$/)
  expect(models.countTokens(document)).toBe(8000)
  expect(index.warnings?.()).toEqual({ 'chunks without a line': 2, 'documents that were shown in part': 1 })
})

test('rejects a method whose passages are not chunks', async () => {
  const method = await asking(contextual, 'sentence-window')
  const models = fakeModels({ replies: { 'situate-chunk': () => 'A line.' } })
  const index = await method.index(chunks, models, contextual.options.parse({}))
  await expect(index.retrieve(query, { passages: 2, tokens: 99 }, models)).rejects.toThrow(
    'contextual: the method of "of" returns passages that are no chunks; name bm25',
  )
})
