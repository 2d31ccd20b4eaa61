import { expect, test } from 'vitest'
import { testMethod } from '../../testing/index.ts'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import { lightrag } from './lightrag.ts'
import { ask, chunkAt, failing } from '../../test-support/ask-method.ts'

testMethod(lightrag)
testMethod(lightrag, {
  models: () => fakeModels({ replies: { 'extract-text-graph': () => ({ entities: [], relationships: [] }) } }),
})
testMethod(lightrag, { options: { mode: 'local', chunkPick: 'weight' } })
testMethod(lightrag, { options: { mode: 'global', show: 'chunks' } })
testMethod(lightrag, { options: { mode: 'hybrid', show: 'facts', gleanings: 0 } })
testMethod(lightrag, { options: { mode: 'naive', compat: true } })

/** A text says who knows whom: "Ann knows Bob". */
const extract: FakeReply = (input) => {
  const { text, replies } = input as { readonly text: string; readonly replies: readonly unknown[] }
  const [source = '', target = ''] = text.split(' knows ')
  if (replies.length > 0 || target === '') return { entities: [], relationships: [] }
  const entity = (name: string) => ({ name, type: 'Person', description: `${name} knows people` })
  return {
    entities: [entity(source), entity(target)],
    relationships: [{ source, target, keywords: 'friendship', description: text }],
  }
}

const replies: Readonly<Record<string, FakeReply>> = {
  'extract-text-graph': extract,
  'merge-descriptions': () => 'merged',
  'question-keywords': () => ({ high_level_keywords: ['friendship'], low_level_keywords: ['Ann'] }),
}

const texts = ['Ann knows Bob', 'Bob knows Cid', 'Ann knows Dan', 'nothing']
const friends = texts.map((text, at) => chunkAt(at, text, { documentId: `d${at}` }))

const search = (options: object, more: Readonly<Record<string, FakeReply>> = {}) =>
  ask(lightrag, friends, { text: 'Whom does Ann know?', options, replies: { ...replies, ...more } })

test('ranks chunks first, and puts the tables as one passage before them in the prompt', async () => {
  const { passages } = await search({ mode: 'local' })
  expect(passages.map(({ kind }) => kind)).toEqual(['chunk', 'chunk', 'facts'])
  expect(passages.at(-1)).toMatchObject({
    order: 0,
    text: expect.stringContaining('{"entity": "Ann", "type": "person"'),
  })
  expect(passages[0]).toMatchObject({ order: 1, why: { mode: 'local', low: ['Ann'] } })
})

test('searches like local in hybrid mode without high-level keywords', async () => {
  const onlyLow = { 'question-keywords': () => ({ high_level_keywords: [], low_level_keywords: ['Ann'] }) }
  const [hybrid, local] = await Promise.all(['hybrid', 'local'].map((mode) => search({ mode }, onlyLow)))
  expect(hybrid?.passages.map(({ text }) => text)).toEqual(local?.passages.map(({ text }) => text))
})

test('searches the question itself without keywords, and records the fallback', async () => {
  expect((await search({ mode: 'local' }, { 'question-keywords': failing('reply') })).why).toMatchObject({
    fallback: 'the question in place of keywords: the reply could not be read',
    low: ['Whom does Ann know?'],
  })
})

test('returns nothing for a long question without keywords with compat', async () => {
  const text = 'Whom of all the people in these texts does Ann really know?'
  const noKeywords = { ...replies, 'question-keywords': () => ({}) }
  const asked = { text, options: { mode: 'hybrid', compat: true }, replies: noKeywords }
  expect((await ask(lightrag, friends, asked)).passages).toEqual([])
})

test('counts a chunk with a failed extraction and still finds it by its vector', async () => {
  const partly: FakeReply = (input) =>
    (input as { text: string }).text === 'nothing' ? failing('reply')() : extract(input)
  const { passages, warnings } = await search({}, { 'extract-text-graph': partly })
  expect(warnings).toMatchObject({
    'texts without a graph, because the extraction could not be read or was refused': 1,
  })
  expect(passages.length).toBeGreaterThan(0)
})

test('counts a failed gleaning', async () => {
  const gleaning: FakeReply = (input) =>
    (input as { replies: readonly unknown[] }).replies.length > 0 ? failing('reply')() : extract(input)
  const { warnings, stats } = await search({}, { 'extract-text-graph': gleaning })
  expect(warnings).toMatchObject({ 'gleanings that could not be read and added nothing to their text': 4 })
  expect(stats).toMatchObject({ entities: 4, relations: 3 })
})

test('reranks chunks and drops scores below 0', async () => {
  const models = {
    ...fakeModels({ replies }),
    rerank: async (_question: string, texts: readonly string[]) =>
      texts.map((text) => ({ score: text.includes('Dan') ? 2 : text.includes('Cid') ? -1 : 1, unread: 0 })),
  }
  const options = { mode: 'hybrid', rerank: true, show: 'chunks' }
  const { passages } = await ask(lightrag, friends, { text: 'Whom does Ann know?', options, models })
  expect(passages.map(({ text }) => text)).toEqual(['Ann knows Dan', 'Ann knows Bob'])
})

test('draws relations between entities and edges to their chunks', async () => {
  const { graph } = await search({ mode: 'naive' })
  expect(graph?.nodes).toHaveLength(4 + friends.length)
  expect(graph?.edges.filter(({ kind }) => kind === 'related')).toHaveLength(3)
})
