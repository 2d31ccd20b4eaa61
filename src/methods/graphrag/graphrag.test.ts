import { describe, expect, test } from 'vitest'
import { ModelError, type ModelErrorKind } from '../../errors.ts'
import type { answerAndAsk, listPoints } from '../../tasks/graphrag-search.ts'
import type { ExtractGraphInput, writeReport } from '../../tasks/graphrag-index.ts'
import { countEach, groupBy } from '../../basics/collections.ts'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import type { Budget, Chunk, Index } from '../../types.ts'
import { extractUnit } from './extract.ts'
import { graphrag } from './graphrag.ts'
import { testMethod } from '../../testing/index.ts'
import { ask, chunkAt, failing } from '../../test-support/ask-method.ts'

testMethod(graphrag)
testMethod(graphrag, {
  models: () => fakeModels({ replies: { 'extract-graph': () => ({ entities: [], relationships: [] }) } }),
})
testMethod(graphrag, { options: { mode: 'global', dynamicSelection: true } })
testMethod(graphrag, { options: { mode: 'basic', compat: true, maxGleanings: 0 } })
testMethod(graphrag, { options: { mode: 'drift', reportEdges: 'level' } })
testMethod(graphrag, { options: { communityLevel: null } })
testMethod(graphrag, { options: { maxGleanings: 2 } })

/** Two cliques of five, joined by one edge: a text says who knows whom. */
const texts = [...pairs(['A0', 'A1', 'A2', 'A3', 'A4']), ...pairs(['B0', 'B1', 'B2', 'B3', 'B4']), 'A0 knows B0']

function pairs(names: readonly string[]): string[] {
  return names.flatMap((a, place) => names.slice(place + 1).map((b) => `${a} knows ${b}`))
}

const chunksOf = (lines: readonly string[]): Chunk[] =>
  lines.map((text, at) => chunkAt(at, text, { start: at * 20, end: at * 20 + text.length }))

const extracted: FakeReply = (input) => {
  const { text, replies } = input as ExtractGraphInput
  const [source = '', target = ''] = text.split(' knows ')
  if (replies.length > 0 || !text.includes(' knows ')) return { entities: [], relationships: [] }
  const entity = (name: string) => ({ name, type: 'person', description: `${name} is there` })
  return {
    entities: [entity(source), entity(target)],
    relationships: [{ source, target, description: text, strength: 2 }],
  }
}

const reported: FakeReply = (input) => {
  const { context } = input as Parameters<typeof writeReport.prompt>[0]
  const group = /[AB](?=\d)/.exec(context)?.[0] ?? '?'
  return {
    title: `Group ${group}`,
    summary: `About ${group}.`,
    rating: '7',
    findings: [{ summary: 'f', explanation: group }],
  }
}

const replies = {
  'extract-graph': extracted,
  'merge-descriptions': () => 'merged',
  'write-report': reported,
  'list-points': (input: unknown) => {
    const { reports } = input as Parameters<typeof listPoints.prompt>[0]
    return {
      points: [
        { description: `read ${reports.length > 0 ? 'reports' : 'none'}`, score: 60 },
        { description: 'x', score: 0 },
      ],
    }
  },
  'imagine-answer': () => 'About A.',
  'answer-and-ask': () => ({ answer: 'B0 knows A0', score: 40, follow_up_questions: ['Who knows B0?'] }),
}

const broken = failing('reply')

const entitiesOf = (index: Index) => index.graph?.().nodes.filter(({ kind }) => kind === 'entity') ?? []

interface More {
  readonly lines?: readonly string[]
  readonly more?: Readonly<Record<string, FakeReply>>
  readonly budget?: Partial<Budget>
}

const search = (text: string, options: object = {}, { lines = texts, more = {}, budget = {} }: More = {}) =>
  ask(graphrag, chunksOf(lines), {
    text,
    options: { ungrounded: 'count', ...options },
    replies: { ...replies, ...more },
    budget: { passages: 20, tokens: 4000, ...budget },
  })

describe('the index', () => {
  test('builds two communities with reports from two cliques, with two calls per text unit and one per report', async () => {
    const { stats, calls, embedded } = await search('A1')
    expect(stats).toMatchObject({
      textUnits: 21,
      entities: 10,
      relationships: 21,
      communities: 2,
      reports: 2,
    })
    // every description of an entity is the same, and each pair is named once
    const tasks = countEach(calls.map(({ task }) => task))
    expect(Object.fromEntries(tasks)).toEqual({ 'extract-graph': 42, 'write-report': 2 })
    expect(embedded.map(({ texts }) => texts.length)).toEqual([10, 2, 21, 1])
  })

  test('builds the same communities for any order of chunks', async () => {
    const groupsOf = async (lines: readonly string[]) => {
      const { index } = await search('A1', {}, { lines })
      const groups = groupBy(entitiesOf(index), ({ group }) => group)
      const members = [...groups.values()].map((nodes) => nodes.map(({ text }) => text).sort())
      return members.map((texts) => texts.join()).sort()
    }
    expect(await groupsOf(texts.toReversed())).toEqual(await groupsOf(texts))
    expect(await groupsOf(texts)).toEqual(['A0,A1,A2,A3,A4', 'B0,B1,B2,B3,B4'])
  })

  test('continues gleaning after the second only if the model says Y', async () => {
    const more = { 'ask-for-more': () => 'N' }
    const { calls } = await search('A1', { maxGleanings: 3 }, { more, lines: ['A0 knows A1'] })
    expect(calls.slice(0, 3).map(({ task }) => task)).toEqual(['extract-graph', 'extract-graph', 'ask-for-more'])
    expect(calls.filter(({ task }) => task === 'extract-graph')).toHaveLength(2)
  })

  test('merges types of a title, or retains the first row with compat', async () => {
    let call = 0
    const more = {
      'extract-graph': () => ({
        entities: [{ name: 'Mercury', type: call++ % 2 ? 'geo' : 'person', description: `told ${call}` }],
        relationships: [],
      }),
    }
    const described = async (options: object) => {
      const { index } = await search('x', { maxGleanings: 0, ...options }, { more, lines: ['a', 'b'] })
      return entitiesOf(index).map(({ text, data }) => [text, data?.['type'], data?.['description']])
    }
    expect(await described({})).toEqual([['MERCURY', 'PERSON', 'merged']])
    call = 0
    expect(await described({ compat: true })).toEqual([['MERCURY', 'PERSON', 'told 1']])
  })
})

describe('lost replies are counted', () => {
  test('loses only an unreadable gleaning, but the text unit of a refused one', async () => {
    const gleaned = async (kind: ModelErrorKind) => {
      const more = {
        'extract-graph': (input: unknown) => {
          const { text, replies } = input as ExtractGraphInput
          if (text === 'A0 knows B0' && replies.length > 0) throw new ModelError(kind, 'lost', { raw: 'I am done.' })
          return extracted(input)
        },
      }
      const { stats, warnings } = await search('A1', {}, { more })
      return { relationships: stats['relationships'], ...warnings }
    }
    const unit = 'texts without a graph, because the extraction could not be read or was refused'
    const gleaning = 'gleanings that could not be read and added nothing to their text'
    expect(await gleaned('reply')).toMatchObject({ relationships: 21, [unit]: 0, [gleaning]: 1 })
    expect(await gleaned('refused')).toMatchObject({ relationships: 20, [unit]: 1, [gleaning]: 0 })
  })

  test('leaves unreadable replies in the chat, and loses a text unit without readable ones', async () => {
    const more = {
      'extract-graph': () => {
        throw new ModelError('reply', 'no JSON', { raw: 'Nothing here.' })
      },
    }
    const models = fakeModels({ replies: more })
    const read = (compat: boolean) => extractUnit('x', models, { maxGleanings: 1, compat })
    expect(await read(false)).toMatchObject({ records: { kind: 'reply' } })
    expect(models.calls).toHaveLength(1)
    expect(await read(true)).toMatchObject({ records: { kind: 'reply' } })
    expect(models.calls).toHaveLength(3)
    expect(models.calls.at(-1)?.input).toMatchObject({ replies: [{ delimited: 'Nothing here.' }] })
  })

  test('fails if every extraction is lost', async () => {
    await expect(search('A1', {}, { more: { 'extract-graph': broken } })).rejects.toThrow('extract-graph: every reply')
  })

  test('skips a report that is not JSON', async () => {
    const { warnings, passages: found } = await search('A1', {}, { more: { 'write-report': broken } })
    expect(warnings).toMatchObject({
      'reports that could not be read, were refused, or repeat the example in the prompt': 2,
    })
    expect(found.map(({ kind }) => kind)).not.toContain('summary')
    expect((await search('A1', { mode: 'global' }, { more: { 'write-report': broken } })).passages).toEqual([])
  })

  test('falls back to the nearest text units after an empty extraction', async () => {
    const { passages: found, stats } = await search('cats', {}, { lines: ['cats purr', 'dogs bark'] })
    expect(found.map(({ text }) => text)).toEqual(['cats purr', 'dogs bark'])
    expect(found[0]?.why).toMatchObject({ fallback: 'basic: the index has no entity' })
    expect(stats).toMatchObject({ entities: 0, communities: 0 })
    expect((await search('cats', { mode: 'drift' }, { lines: ['cats purr'] })).why).toMatchObject({
      fallback: 'basic: the index has no report',
    })
  })

  test('drops relations with an unknown end, and counts a missing weight as one', async () => {
    const odd: FakeReply = () => ({
      entities: [{ name: 'A' }, { name: 'B' }],
      relationships: [
        { source: 'A', target: 'B', strength: 'strong' },
        { source: 'A', target: 'Ghost', strength: 3 },
      ],
    })
    const { graph, warnings } = await search('A', { maxGleanings: 0 }, { more: { 'extract-graph': odd }, lines: ['x'] })
    const related = graph?.edges.filter(({ kind }) => kind === 'related')
    expect(related).toEqual([{ from: 0, to: 1, weight: 1, kind: 'related' }])
    expect(warnings).toMatchObject({
      'relationships dropped, because an end of theirs is no extracted entity': 1,
    })
  })
})

test('the drawing has the levels of communities and the node ids of traces', async () => {
  const { index, passages: found } = await search('A1 knows')
  const { nodes = [], levels = [], groups = [], edges = [] } = index.graph?.() ?? {}
  expect(levels.map(({ name }) => name)).toEqual(['level 0'])
  expect(levels[0]?.groups).toEqual(nodes.map(({ group }) => group))
  expect(groups.toSorted()).toEqual(['Group A', 'Group B'])
  const ids = new Set(nodes.map(({ id }) => id))
  const named = found.flatMap(({ why }) => why?.['nodes'] as readonly string[])
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((id) => !ids.has(id))).toEqual([])
  expect([...new Set(edges.map(({ kind }) => kind))].sort()).toEqual(['holds', 'related', 'stands in'])
})

test("local search returns text units, tables and reports in the reference's reading order", async () => {
  const { passages: found, queryTasks } = await search('A1 knows')
  expect(queryTasks).toEqual([])
  const read = found.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  expect(found[0]?.kind).toBe('chunk')
  expect(read.map(({ kind }) => kind)).toEqual([
    'summary',
    'facts',
    ...found.flatMap(({ kind }) => (kind === 'chunk' ? kind : [])),
  ])
  expect(read[0]?.text).toMatch(/^# Group A/)
  expect(read[1]?.text).toContain('-----Relationships-----')
})

describe('global', () => {
  test('makes one call per batch and one passage of points, bounded by tokens', async () => {
    const { passages: found, queryTasks } = await search('Who?', { mode: 'global' })
    expect(queryTasks).toEqual(['list-points'])
    expect(found).toMatchObject([
      {
        text: '----Analyst 1----\nImportance Score: 60\nread reports',
        score: 60,
        kind: 'summary',
        why: { points: 1, nodes: expect.arrayContaining(['community 0', 'community 1']) as unknown, batches: 1 },
      },
    ])
    const more = { 'write-report': longReport }
    expect((await search('Who?', { mode: 'global' }, { more })).queryTasks).toEqual(['list-points', 'list-points'])
    const points = Array.from({ length: 30 }, (_, i) => ({ description: `point ${i}`, score: 90 - i }))
    const many = { more: { 'list-points': () => ({ points }) }, budget: { passages: 5, tokens: 100 } }
    const [passage, ...others] = (await search('Who?', { mode: 'global' }, many)).passages
    expect(others).toEqual([])
    // as many as the tokens hold, whatever the number of passages
    expect(Number(passage?.why?.['points'])).toBeGreaterThan(5)
    expect(passage?.text).toContain('Importance Score: 85\npoint 5')
    expect(passage?.text).not.toContain('point 29')
  })

  /** So long that a batch holds one. */
  const longReport: FakeReply = (input) => ({
    ...(reported(input) as object),
    findings: [{ summary: 'f', explanation: 'word '.repeat(7000) }],
  })

  const onlyOfB =
    (reply: unknown): FakeReply =>
    (input) =>
      JSON.stringify(input).includes('Group A') ? broken() : reply

  test('skips a report whose rating is lost, with a trace, and fails if all are lost', async () => {
    const options = { mode: 'global', dynamicSelection: true }
    const { why } = await search('Who?', options, { more: { 'rate-report': onlyOfB({ rating: 3 }) } })
    expect(why).toMatchObject({
      nodes: ['community 1'],
      fallback: 'global without some ratings of reports: the replies could not be read or were refused',
    })
    const none = search('Who?', options, { more: { 'rate-report': broken } })
    await expect(none).rejects.toThrow('rate-report: every reply was refused or could not be read')
  })
})

test('basic search returns the nearest text units in table order, cut in that order with compat', async () => {
  const lines = ['cats', 'cats and dogs', 'dogs', 'dogs bark']
  const asked = async (options: object) =>
    (await search('dogs', { mode: 'basic', ...options }, { lines, budget: { passages: 2, tokens: 99 } })).passages
  expect((await asked({})).map(({ text, order }) => [text, order])).toEqual([
    ['dogs', 2],
    ['dogs bark', 3],
  ])
  expect((await asked({ compat: true })).map(({ text }) => text)).toEqual(['cats', 'cats and dogs'])
})

test('drift search asks a hypothetical answer, first answers, and rounds of distinct questions', async () => {
  const { passages, queryTasks } = await search('Who?', { mode: 'drift' })
  expect(queryTasks).toEqual(['imagine-answer', 'answer-and-ask', 'answer-and-ask', 'answer-and-ask'])
  expect(passages.map(({ text, why }) => [text, why?.['round']])).toEqual([
    ['B0 knows A0', 0],
    ['B0 knows A0', 0],
    ['B0 knows A0', 1],
  ])
})

test('drift search traces lost replies in the first passage', async () => {
  const all = replies['answer-and-ask']()
  const lostAt = async (more: Record<string, FakeReply>) => {
    const { passages, why } = await search('Who?', { mode: 'drift' }, { more })
    return [passages.length, why['fallback']]
  }
  const lost = 'the replies could not be read or were refused'
  expect(await lostAt({})).toEqual([3, undefined])
  expect(await lostAt({ 'imagine-answer': broken })).toEqual([3, `drift without some invented answers: ${lost}`])
  const first: FakeReply = (input) =>
    (input as Parameters<typeof answerAndAsk.prompt>[0]).context.startsWith('# Group A') ? broken() : all
  expect(await lostAt({ 'answer-and-ask': first })).toEqual([2, `drift without some first answers: ${lost}`])
  const later: FakeReply = (input) =>
    (input as Parameters<typeof answerAndAsk.prompt>[0]).question === 'Who?' ? all : broken()
  expect(await lostAt({ 'answer-and-ask': later })).toEqual([2, `drift without some follow-up answers: ${lost}`])
})

test('text units of another size quote the documents', async () => {
  const lines = ['one two three four five six '.repeat(30), 'seven eight nine ten eleven '.repeat(30)]
  const { passages: found } = await search('nine', { mode: 'basic', chunkTokens: 120 }, { lines })
  expect(found.map(({ text }) => text).join()).toContain('nine')
  expect(found.every(({ spans = [], text }) => spans[0]?.documentId === 'd' && text.length > 0)).toBe(true)
})
