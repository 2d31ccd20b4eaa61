import { describe, expect, test } from 'vitest'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import type { Chunk } from '../../types.ts'
import { hlgraphrag } from './hlgraphrag.ts'
import { testMethod } from '../../testing/index.ts'
import { ask, chunkAt, failing } from '../../test-support/ask-method.ts'

testMethod(hlgraphrag)
testMethod(hlgraphrag, { models: () => playing({}) })
testMethod(hlgraphrag, { options: { directedWeights: false, rankedRetrieval: false } })
testMethod(hlgraphrag, { options: { relations: false } })
testMethod(hlgraphrag, { options: { relations: false, events: false } })

const chunk = (text: string, position = 0): Chunk => chunkAt(position, text, { documentId: 'film' })

const relation = (object1: string, meaning: string, object2: string, reverse?: string) => ({
  object1,
  meaning,
  object2,
  ...(reverse !== undefined && { reverse }),
})

interface Told {
  readonly subjects?: readonly string[]
  readonly happened?: readonly string[]
  readonly relations?: readonly object[]
  readonly events?: readonly object[]
  readonly ideas?: readonly string[]
}

const playing = ({ subjects = [], happened = [], relations = [], events = [], ideas = [] }: Told, more = {}) => {
  const replies: Readonly<Record<string, FakeReply>> = {
    'list-subjects': () => ({ subjects, events: happened }),
    'relate-subjects': () => ({ relations }),
    'relate-subjects-both-ways': () => ({ relations }),
    'relate-events': () => ({ events }),
    'relate-events-both-ways': () => ({ events }),
    'split-ideas': () => ideas,
    ...more,
  }
  return fakeModels({ replies, dimension: 4096 })
}

async function search(
  told: Told,
  options: object = {},
  text = 'ann',
  models = playing(told),
  chunks = [chunk('Words.')],
) {
  const asked = { text, options: { ungrounded: 'count', ...options }, models }
  const found = await ask(hlgraphrag, chunks, asked)
  return { ...found, calls: models.calls, lines: found.passages.map((passage) => passage.text.split('\n')) }
}

describe('directional weights', () => {
  const told = { subjects: ['Ann', 'Bob'], relations: [relation('Ann', 'pushed', 'Bob', 'was pushed by')] }

  test('labels the reverse edge in the passive voice', async () => {
    expect((await search(told, {}, 'ann')).lines).toEqual([['Ann [pushed] Bob']])
    expect((await search(told, {}, 'bob')).lines).toEqual([['Bob [was pushed by] Ann']])
  })

  test('labels events by direction with reason and time, or once without directions', async () => {
    const pushed = { event: 'John pushed Selena', reverse: 'Selena was pushed by John' }
    const happened = {
      subjects: ['John', 'Selena'],
      events: [{ ...pushed, object1: 'John', object2: 'Selena', why: 'a quarrel', time: 'spring' }],
    }
    const from = async (name: string, options: object = {}) => (await search(happened, options, name)).lines
    expect(await from('john')).toEqual([['John [John pushed Selena; a quarrel; spring] Selena']])
    expect(await from('selena')).toEqual([['Selena [Selena was pushed by John; a quarrel; spring] John']])
    expect(await from('selena', { directedWeights: false })).toEqual([
      ['Selena [John pushed Selena; a quarrel; spring] John'],
    ])
  })

  test('uses one label both ways without directional weights', async () => {
    const { lines, calls } = await search(told, { directedWeights: false }, 'bob')
    expect(lines).toEqual([['Bob [pushed] Ann']])
    expect(calls.map(({ task }) => task)).toEqual(['list-subjects', 'relate-subjects', 'relate-events', 'split-ideas'])
  })

  test('uses the first label if the second is missing', async () => {
    const { lines } = await search({ relations: [relation('Ann', 'met', 'Bob', '')] }, {}, 'bob')
    expect(lines).toEqual([['Bob [met] Ann']])
  })
})

const star = {
  relations: [relation('ann', 'saw', 'x'), relation('ann', 'bell tower', 'y'), relation('ann', 'bell', 'z')],
  ideas: ['ann bell'],
}

test('ranked retrieval descends to the neighbour with the nearest label first', async () => {
  expect((await search(star)).why['nodes']).toEqual(['ann', 'z', 'y', 'x'])
  const stored = await search(star, { rankedRetrieval: false })
  expect(stored.why['nodes']).toEqual(['ann', 'x', 'y', 'z'])
})

const event = (more: object) => ({ event: 'The mill burnt', ...more })

test.each([
  [
    'two objects',
    { object1: 'ann', object2: 'mill', why: 'a spark', time: '1903' },
    'ann [The mill burnt; a spark; 1903] mill',
  ],
  [
    'one object, which leads to the event',
    { object1: null, object2: 'ann', time: '1903' },
    'ann [The mill burnt; 1903] The mill burnt',
  ],
  ['an object twice, which is a label of its node', { object1: 'ann', object2: ' ANN ' }, 'ann [The mill burnt]'],
  ['no object, which leaves a label of the event', {}, 'The mill burnt [The mill burnt]'],
])('an event of %s', async (_name, objects, line) => {
  expect((await search({ events: [event(objects)] })).lines).toEqual([[line]])
})

describe('ideas', () => {
  const told = { relations: [relation('ann', 'met', 'bob', 'met'), relation('eve', 'kept', 'cat', 'is kept by')] }

  test('makes one passage per idea without repeating lines', async () => {
    const { passages } = await search(
      { ...told, ideas: ['eve purrs', 'ann', ' ', 'ann', 'bob ann met'] },
      {},
      'whatever',
    )
    expect(passages.map(({ text, order, from }) => [text, order, from])).toEqual([
      ['ann [met] bob', 1, ['c0']],
      ['eve [kept] cat', 0, ['c0']],
    ])
  })

  test.each([
    ['none was named', () => []],
    ['the reply could not be read', failing('reply')],
  ])('has the message alone: %s', async (why, reply) => {
    const { passages, why: trace } = await search(told, {}, 'eve', playing(told, { 'split-ideas': reply }))
    expect(passages.map(({ text }) => text)).toEqual(['eve [kept] cat'])
    expect(trace['fallback']).toBe(`the message as its only idea: ${why}`)
  })
})

describe('nodes', () => {
  test('are merged by text, ignoring case', async () => {
    const told = { subjects: ['Ann Lee', ' ann lee', 'Ann'], relations: [relation('ANN', 'met', 'bob')] }
    const { graph } = await search(told)
    expect(graph?.nodes.map(({ text }) => text)).toEqual(['Ann Lee', 'Ann', 'bob'])
  })

  test('stores each label once, with all of its chunks', async () => {
    const told = { relations: [relation('ann', 'met', 'bob', 'met')] }
    const { passages, calls } = await search(told, {}, 'ann', playing(told), [chunk('A', 0), chunk('B', 1)])
    expect(passages[0]).toMatchObject({ text: 'ann [met] bob', from: ['c0', 'c1'], kind: 'facts' })
    expect(calls.filter(({ task }) => task !== 'split-ideas')).toHaveLength(6)
  })
})

describe('counts lost items', () => {
  const broken = failing('reply')

  test('counts lost replies, and fails the index if all are lost', async () => {
    const some = { 'list-subjects': broken, 'relate-subjects-both-ways': broken }
    const { passages, warnings } = await search({}, {}, 'ann', playing({}, some))
    expect(passages).toEqual([])
    expect(warnings).toMatchObject({
      'extraction replies that could not be read or were refused': 2,
      'chunks without a subject': 1,
      'chunks without a relation or an event': 1,
    })
    const every = search({}, {}, 'ann', playing({}, { ...some, 'relate-events-both-ways': broken }))
    await expect(every).rejects.toThrow('extraction: every reply was refused or could not be read')
  })

  test('counts an empty list of subjects, a single entity and relations without an object', async () => {
    const relations = [relation('ann', 'sleeps', ' '), relation('', 'x', ''), relation('ann', ' ', 'bob')]
    const { warnings, lines } = await search({ relations })
    expect(lines).toEqual([['ann [sleeps]']])
    expect(warnings).toMatchObject({
      'chunks without a subject': 1,
      'chunks without a relation or an event': 0,
      'relations and events without an object or a meaning': 2,
    })
    expect((await search({ subjects: ['Ann'] })).lines).toEqual([['Ann']])
  })
})

test('makes no call for relations or events that are switched off, and keeps the rest', async () => {
  const told = {
    relations: [relation('ann', 'met', 'bob')],
    events: [{ event: 'Storm', object1: 'ann', object2: 'eve' }],
  }
  expect((await search(told, { relations: false })).lines).toEqual([['ann [Storm] eve']])
  expect((await search(told, { events: false })).lines).toEqual([['ann [met] bob']])
  const { calls } = await search({ subjects: ['Ann'], ...told }, { relations: false, events: false })
  expect(calls.map(({ task }) => task)).toEqual(['list-subjects', 'split-ideas'])
})
