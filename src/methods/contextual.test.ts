import { expect, test } from 'vitest'
import { ask, asking, documentOf, failing, rankedIds } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { tokenizer } from '../text/tokens.ts'
import { contextual } from './contextual.ts'

testMethod(await asking(contextual, 'hybrid'))
testMethod(await asking(contextual, { use: 'bm25' }))

const chunks = documentOf('It was built in 1841.', 'Rye bread is sold.')
const line = ({ chunk }: { chunk: string }) =>
  chunk.startsWith('It') ? 'About the mill at Orrin.' : failing('refused')()
const asked = { text: 'mill Orrin', replies: { 'situate-chunk': line } }

test('finds a chunk by its line and returns it without the line; counts missing lines', async () => {
  const method = await asking(contextual, 'bm25')
  const long = documentOf(...chunks.map(({ text }) => text), 'oats '.repeat(8000))
  const { passages, warnings, calls } = await ask(method, long, asked)
  expect(rankedIds(passages)).toEqual(['c0'])
  expect(passages[0]).toMatchObject({ text: 'It was built in 1841.', why: { line: 'About the mill at Orrin.' } })
  const { document, chunk } = calls[0]?.input as Readonly<Record<'document' | 'chunk', string>>
  expect(chunk).toBe('It was built in 1841.')
  expect(document).toMatch(/^It was built in 1841\. {2}Rye bread is sold\. {2}oats oats .* oats$/)
  expect(tokenizer('o200k_base').count(document)).toBe(8000)
  expect(warnings).toEqual({ 'chunks without a line': 2, 'documents that were shown in part': 1 })
})

test('rejects a method whose passages are not chunks', async () => {
  const found = ask(await asking(contextual, 'sentence-window'), chunks, asked)
  await expect(found).rejects.toThrow('contextual: the method of "of" returns passages that are no chunks; name bm25')
})
