import { describe, expect, test } from 'vitest'
import { ModelError, type ModelErrorKind } from '../../errors.ts'
import { readReply } from '../../models/calls/task-call.ts'
import { fakeModels, type FakeModels } from '../../testing/fake-models.ts'
import { words } from '../../text/words.ts'
import type { Budget, Chunk, Method, Models, Passage } from '../../types.ts'
import { unweaverPpr } from '../unweaver-ppr.ts'
import { unweaver } from './unweaver.ts'
import { ask, failing } from '../../test-support/ask-method.ts'
import { testMethod } from '../../testing/index.ts'

testMethod(unweaver)
testMethod(unweaver, { models: () => fakeModels({ replies: { 'extract-entities': () => [] } }) })
testMethod(unweaver, { options: { voting: 'approval' } })
testMethod(unweaver, { options: { voting: 'pav' } })
testMethod(unweaver, { options: { voting: 'chamberlin-courant' } })
testMethod(unweaver, { options: { alignment: 'utility' } })
testMethod(unweaver, { options: { alignment: 'cls' } })

/** Every word is an entity, described by the text. */
const wordModels = () =>
  fakeModels({
    replies: {
      'extract-entities': ({ text }: { text: string }) =>
        words(text).map((word) => ({ entity_name: word, entity_description: `${word}: ${text}` })),
      'shorten-description': ({ description }: { description: string }) => [description.slice(0, 20)],
    },
  })

const chunksOf = (texts: readonly string[], tokens = 10): Chunk[] =>
  texts.map((text, i) => ({ id: `c${i + 1}`, documentId: 'd', position: i, start: 0, end: text.length, text, tokens }))

/** Models that name in each text what is given for it, and find each entity as near to every question as is given. */
function known(
  named: Readonly<Record<string, readonly string[]>>,
  nearness: Readonly<Record<string, number>>,
): FakeModels {
  const models = fakeModels({
    replies: {
      'extract-entities': ({ text }: { text: string }) =>
        (named[text] ?? []).map((name) => ({ entity_name: name, entity_description: name })),
    },
  })
  const vectorOf = (text: string) => {
    const cosine = nearness[text.split(' ')[0] ?? ''] ?? 1
    return Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2))
  }
  return { ...models, embed: async (texts) => texts.map(vectorOf) }
}

const search = (
  method: Method,
  chunks: readonly Chunk[],
  models: Models,
  options: object = {},
  budget: Partial<Budget> = { passages: 20, tokens: 1e6 },
) => ask(method, chunks, { text: 'question', options: { ungrounded: 'count', ...options }, models, budget })

const scoresOf = (found: readonly Passage[]) => found.map(({ from, score }) => [from[0], Number(score.toFixed(6))])

// e0 is named by c1; e1 by c1 and c2; e2 by c3; e3 by c2; e4 by c3
const named = { one: ['e0', 'e1'], two: ['e1', 'e3'], three: ['e2', 'e4'] }
const nearness = { e0: 1, e1: 0.9, e2: 0.8, e3: 0.7, e4: 0 }
const far = { e0: -0.1, e1: -0.2, e2: -0.3, e3: -0.4, e4: -0.5 }
const chunks = chunksOf(['one', 'two', 'three'])

test.each([unweaver, unweaverPpr])("$name fills the budget, unless the method's limits are lower", async (method) => {
  // every chunk has an entity of its own
  const texts = Array.from({ length: 8 }, (_, i) => `chunk${i}`)
  const own = Object.fromEntries(texts.map((text) => [text, [`${text} entity`]]))
  const found = async (options: object, passages: number) =>
    (await search(method, chunksOf(texts), known(own, {}), options, { passages, tokens: 1e6 })).passages.length
  expect(await found({}, 7)).toBe(7)
  expect(await found({}, 3)).toBe(3)
  expect(await found({ topK: 5 }, 7)).toBe(5)
  expect(await found({ maxTokens: 8 }, 7)).toBeLessThan(7)
})

describe('unweaver', () => {
  const four = { ...named, three: ['e2'] }

  test('counts the votes of four entities and traces their ranks and similarities', async () => {
    const { passages: found } = await search(unweaver, chunks, known(four, nearness))
    expect(scoresOf(found)).toEqual([['c1', 0.4], ['c2', 0.36], ['c3', 0.16]]) // prettier-ignore
    expect(found[1]).toMatchObject({
      text: 'two',
      kind: 'chunk',
      why: { entities: ['e1', 'e3'], ranks: [1, 3], similarities: [expect.closeTo(0.9, 6), expect.closeTo(0.7, 6)] },
    })
  })

  test('falls back to the vote if no entity is near enough for alignment', async () => {
    const [aligned, voted] = [
      await search(unweaver, chunks, known(four, far), { alignment: 'utility' }),
      await search(unweaver, chunks, known(four, far)),
    ]
    const [first, ...others] = voted.passages
    expect(aligned.passages).toEqual([
      { ...first, why: { ...first?.why, fallback: 'vote: no entity is near enough to align' } },
      ...others,
    ])
    expect(first?.why).not.toHaveProperty('fallback')
  })

  test('aligns the topK entities and traces only them', async () => {
    const entities = async (topK: number) => {
      const { passages: found } = await search(unweaver, chunks, known(four, nearness), { alignment: 'utility', topK })
      return found.map(({ why }) => why?.['entities'])
    }
    expect((await entities(1)).flat()).toHaveLength(1)
    expect(new Set((await entities(4)).flat())).toEqual(new Set(['e0', 'e1', 'e2', 'e3']))
  })

  test('truncates a description that cannot be rewritten, and counts it', async () => {
    const models = fakeModels({
      replies: {
        'extract-entities': () => [{ entity_name: 'a', entity_description: 'ab'.repeat(3000) }],
        'shorten-description': failing('reply'),
      },
    })
    const { warnings, graph } = await search(unweaver, chunksOf(['a']), models)
    expect(graph?.nodes[0]).toMatchObject({ data: { description: 'ab'.repeat(2000) } })
    expect(warnings).toMatchObject({
      'descriptions cut, because the reply that rewrites them was refused, could not be read, or repeats the example in the prompt': 1,
    })
  })

  test('makes one call per chunk and per overlong description, and embeds only descriptions', async () => {
    const models = wordModels()
    const dots = '.'.repeat(2100)
    const { stats } = await search(unweaver, chunksOf([`a b${dots}`, `a c${dots}`, 'd']), models)
    // what both say of a is too long
    expect(models.calls.map(({ task }) => task)).toEqual([
      ...Array<string>(3).fill('extract-entities'),
      'shorten-description',
    ])
    expect(models.embedded).toEqual([
      { texts: [`a: a b${dots}`.slice(0, 20), `b: a b${dots}`, `c: a c${dots}`, 'd: d'], role: 'document' },
      { texts: ['question'], role: 'query' },
    ])
    expect(stats).toMatchObject({ entities: 4, mentions: 5 })
  })
})

describe('unweaver-ppr', () => {
  test('matches scores computed by hand for damping 0.5', async () => {
    const { passages: found } = await search(unweaverPpr, chunks, known(named, nearness))
    expect(scoresOf(found)).toEqual([['c1', 0.140056], ['c2', 0.114846], ['c3', 0.078431]]) // prettier-ignore
    expect(found[0]?.why).toMatchObject({ entities: ['e0', 'e1'], ranks: [0, 1], seeds: 'cosine' })
  })

  test('seeds by rank if no entity is near the question, with a trace', async () => {
    const { passages: found } = await search(unweaverPpr, chunks, known(named, far))
    expect(found[0]).toMatchObject({
      from: ['c1'],
      why: { seeds: 'rank', fallback: 'seeds by rank: no entity is near the question' },
    })
    expect(found[1]?.why).not.toHaveProperty('fallback')
  })

  test('excludes unreachable chunks', async () => {
    const { passages: found } = await search(unweaverPpr, chunks, known(named, { ...nearness, e2: -1, e4: -1 }))
    expect(found.map(({ from }) => from[0])).toEqual(['c1', 'c2'])
  })

  test('shares the index and calls of unweaver', async () => {
    const [a, b] = [wordModels(), wordModels()]
    const texts = chunksOf(['a b', 'a c', 'd'])
    const [voted, walked] = [await search(unweaver, texts, a), await search(unweaverPpr, texts, b)]
    expect([b.calls, b.embedded]).toEqual([a.calls, a.embedded])
    expect([walked.graph, walked.stats]).toEqual([voted.graph, voted.stats])
  })
})

describe.each([unweaver, unweaverPpr])('model replies for $name', (method) => {
  /** Models that reply to the extraction with words, read as those of a provider are. */
  const writing = (replies: Readonly<Record<string, string>>): Models => ({
    ...fakeModels(),
    async run(task, input) {
      const read = readReply(task, replies[(input as { text: string }).text] ?? '[]')
      if ('error' in read) throw new ModelError('reply', read.error)
      return read.value
    },
  })
  const good = '{"entity_name": "Ada", "entity_description": "A keeper."}'

  test.each([
    ['whole', `[${good}]`, 1, 0],
    ['truncated in the second item', `[${good}, {"entity_name": "Bo", "entity_descr`, 1, 0],
    ['with prose around', `Here they are:\n[${good}]\nDone.`, 1, 0],
    ['with a bad item among good ones', `[${good}, {"entity_name": "Bo"}, "Cy", {"entity_name": "", "entity_description": "x"}]`, 1, 0], // prettier-ignore
    ['an empty list', '[]', 0, 0],
    ['prose alone', 'There is Ada.', 0, 1],
    ['no reply', '', 0, 1],
    ['cut in the first item', '[{"entity_name": "Ad', 0, 1],
  ])('%s', async (_name, reply, entities, parseFailures) => {
    const { passages: found, stats, warnings } = await search(method, chunksOf(['one', 'two']), writing({ one: reply }))
    expect(stats).toMatchObject({ entities })
    expect(warnings).toMatchObject({
      'extraction replies that could not be read or were refused': parseFailures,
      'descriptions cut, because the reply that rewrites them was refused, could not be read, or repeats the example in the prompt': 0,
      'chunks that mention no entity': 2 - entities,
    })
    expect(found).toHaveLength(entities)
  })

  test('normalises spaces in names and nothing else', async () => {
    const item = (name: string) => JSON.stringify({ entity_name: name, entity_description: 'x' })
    const { stats } = await search(
      method,
      chunksOf(['one', 'two']),
      writing({ one: `[${item('Ada Vale')}, ${item('灯塔')}, ${item('ada vale')}]`, two: `[${item('Ada\u00A0Vale')}, ${item('灯塔')}]` }), // prettier-ignore
    )
    expect(stats).toMatchObject({ entities: 3, mentions: 5 })
  })

  /** Models that fail on some texts, and find one entity in the others. */
  const failingOn = (kind: ModelErrorKind, ...texts: readonly string[]) => {
    const extract = ({ text }: { text: string }) =>
      texts.includes(text) ? failing(kind)() : [{ entity_name: text, entity_description: text }]
    return fakeModels({ replies: { 'extract-entities': extract } })
  }
  const two = chunks.slice(0, 2)

  test.each(['refused', 'reply'] as const)(
    'counts a chunk whose reply is lost (%s), and fails if all are',
    async (kind) => {
      const { passages, warnings } = await search(method, two, failingOn(kind, 'one'))
      expect(warnings).toMatchObject({
        'extraction replies that could not be read or were refused': 1,
        'chunks that mention no entity': 1,
      })
      expect(passages.map(({ text }) => text)).toEqual(['two'])
      const all = /^extract-entities: every reply was refused or could not be read; the first error: played/
      await expect(search(method, two, failingOn(kind, 'one', 'two'))).rejects.toMatchObject({
        kind,
        message: expect.stringMatching(all) as string,
      })
    },
  )

  test.each(['server', 'window', 'network', 'timeout'] as const)('fails at once for an error of kind %s', (kind) =>
    expect(search(method, two, failingOn(kind, 'one'))).rejects.toMatchObject({ kind, message: `played ${kind}` }),
  )
})
