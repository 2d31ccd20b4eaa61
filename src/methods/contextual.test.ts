import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { asking, documentOf, ranked } from '../test-support/ask-method.ts'
import type { SituateChunkInput } from '../tasks/pieces.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { contextual } from './contextual.ts'

testMethod(await asking(contextual, 'hybrid'))
testMethod(await asking(contextual, { use: 'bm25' }), { options: { documentTokens: 5 } })

const chunks = documentOf('It was built in 1841.', 'Rye bread is sold.')
const line = ({ chunk }: SituateChunkInput): string => {
  if (chunk.startsWith('Rye')) throw new ModelError('refused', 'no')
  return 'About the mill at Orrin.'
}
const query = { id: 'q', text: 'mill Orrin' }

test('a chunk is found by its line, and read without it; a line that is lost is counted', async () => {
  const method = await asking(contextual, 'bm25')
  const models = fakeModels({ replies: { 'situate-chunk': line } })
  const index = await method.index(chunks, models, contextual.options.parse({ documentTokens: 4 }))
  const found = await index.retrieve(query, { passages: 2, tokens: 99 }, models)
  expect(ranked(found)).toEqual(['c0'])
  expect(found[0]).toMatchObject({ text: 'It was built in 1841.', why: { line: 'About the mill at Orrin.' } })
  expect(models.calls[0]?.input).toEqual({ document: 'It was built in', chunk: 'It was built in 1841.' })
  expect(index.warnings?.()).toEqual({ 'chunks without a line': 1, 'documents that were shown in part': 1 })
})

test('a method whose passages are no chunks is refused', async () => {
  const method = await asking(contextual, 'sentence-window')
  const models = fakeModels({ replies: { 'situate-chunk': () => 'A line.' } })
  const index = await method.index(chunks, models, contextual.options.parse({}))
  await expect(index.retrieve(query, { passages: 2, tokens: 99 }, models)).rejects.toThrow(
    'contextual: the method of "of" returns passages that are no chunks; name bm25',
  )
})
