import { expect, test } from 'vitest'
import { ask, documentOf, failing, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { propositions } from './propositions.ts'

// chunks of the checks are parts of sentences, which the stand-in lists as they are
const words = ({ text }: { text: string }) => text.split(/\s+/).filter(Boolean)
const models = () => fakeModels({ replies: { 'list-propositions': words } })
testMethod(propositions, { models })

const chunks = documentOf('Vale built the mill, and it burnt.', 'An oven in Lisk.', 'Rye')

const listed: Readonly<Record<string, unknown>> = {
  [chunks[0]!.text]: ['Vale built the mill.', 'The mill burnt.', 'The mill burnt.'],
  [chunks[1]!.text]: [],
}

const reply = ({ text }: { text: string }) => (text in listed ? listed[text] : failing('refused')())

test('ranks a chunk by its best fact and returns the whole chunk; uses the text of a chunk without facts', async () => {
  const asked = { text: 'the mill burnt', replies: { 'list-propositions': reply } }
  const { passages, warnings } = await ask(propositions, chunks, asked)
  expect(rankedIds(passages)[0]).toBe('c0')
  expect(rankedIds(passages).toSorted()).toEqual(['c0', 'c1', 'c2'])
  expect(passages[0]).toMatchObject({ text: chunks[0]?.text, kind: 'chunk', why: { proposition: 'The mill burnt.' } })
  expect(warnings).toMatchObject({ 'chunks whose facts could not be listed': 1, 'chunks without a fact': 1 })
})

test('drops and counts facts that echo the example of the prompt', async () => {
  const reply = () => ['Vale built the mill.', 'Arden Mill was built in 1790.']
  const { warnings } = await ask(propositions, chunks.slice(0, 1), { replies: { 'list-propositions': reply } })
  expect(warnings).toMatchObject({
    'extractions dropped, because they repeat the example in the prompt': 1,
  })
})

test('fails if the model lists no facts at all', async () => {
  await expect(ask(propositions, chunks)).rejects.toThrow(/list-propositions: every reply/)
})
