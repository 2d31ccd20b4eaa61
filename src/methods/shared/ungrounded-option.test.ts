import { describe, expect, test } from 'vitest'
import { chunkAt } from '../../test-support/ask-method.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { gemRag } from '../gem-rag/gem-rag.ts'
import { graphrag } from '../graphrag/graphrag.ts'
import { writeReports } from '../graphrag/reports.ts'
import { hipporag } from '../hipporag/hipporag.ts'
import { hipporag2 } from '../hipporag2/hipporag2.ts'
import { hlgraphrag } from '../hlgraphrag/hlgraphrag.ts'
import { unweaverPpr } from '../unweaver-ppr.ts'
import { unweaver } from '../unweaver/unweaver.ts'

/**
 * What SmolLM2-135M wrote: the prompt's own example, whatever the text was; beside it a name of the text and an
 * invented one.
 */
const echoing = () => {
  const facts = [['John Bell', 'built', 'Arden Mill'], ['keeper', 'lives on', 'Cape Wrath'], ['Napoleon', 'saw', 'Cape Wrath']] as const // prettier-ignore
  const names = ['Arden Mill', 'Cape Wrath', 'Napoleon', 'keeper']
  const fire = { event: 'A fire closed Arden Mill', object1: 'fire', object2: 'Arden Mill', why: '', time: '' }
  const move = { event: 'A keeper moved in', object1: 'Napoleon', object2: 'keeper' }
  return fakeModels({
    replies: {
      'name-entities': () => ({ named_entities: ['Arden Mill', 'Kent', 'Cape Wrath', 'Paris'] }),
      'extract-triples': () => ({ triples: [...facts, ['subject', 'predicate', 'object']] }),
      'extract-entities': () => [
        { entity_name: 'Arden Mill', entity_description: 'A water mill on the river Arden.' },
        { entity_name: 'Cape Wrath', entity_description: 'A cape with a keeper.' },
        { entity_name: 'Napoleon', entity_description: 'He saw it.' },
      ],
      'extract-graph': () => ({
        entities: names.map((name) => ({ name, type: 'GEO', description: `What is said of ${name}` })),
        relationships: facts.map(([source, description, target]) => ({ source, target, description, strength: 8 })),
      }),
      'ask-for-more': () => false,
      'list-subjects': () => ({ subjects: [...names, 'John Bell'], events: [fire.event, move.event] }),
      'relate-subjects-both-ways': () => ({
        relations: facts.map(([object1, meaning, object2]) => ({
          meaning,
          reverse: `not ${meaning}`,
          object1,
          object2,
        })),
      }),
      'relate-events-both-ways': () => ({
        events: [fire, { ...move, why: 'the grain caught fire', time: 'spring of 1920' }],
      }),
    },
  })
}

const text = 'The lighthouse stands on Cape Wrath. A keeper lives there.'
const chunks = [chunkAt(0, text)]

describe.each([hipporag, hipporag2, unweaver, unweaverPpr, graphrag, hlgraphrag])('$name', (method) => {
  const built = async (options: object) => {
    const index = await method.index(chunks, echoing(), method.options.parse(options) as never)
    const graph = index.graph?.() ?? { nodes: [], edges: [] }
    const said = JSON.stringify([graph.nodes, graph.edges]).toLowerCase()
    return { said, stats: index.stats?.() ?? {}, warnings: index.warnings?.() ?? {} }
  }

  test("drops echoes of the prompt's example and, by default, names that are not in the text", async () => {
    const { said, stats, warnings } = await built({})
    expect(said).toContain('cape wrath')
    expect(said).not.toMatch(/arden|bell|grain caught|1920|napoleon|"text":"subject"/)
    expect(stats['grounded']).toBeGreaterThan(0)
    expect(stats['grounded']).toBeLessThan(1)
    expect(warnings['extractions dropped, because they repeat the example in the prompt']).toBeGreaterThan(0)
    expect(
      warnings['extractions dropped, because a name in them does not stand in the text that was read'],
    ).toBeGreaterThan(0)
  })

  test('keeps ungrounded names with count, never echoes, with the same precision', async () => {
    const [kept, dropped] = [await built({ ungrounded: 'count' }), await built({})]
    expect(kept.said).toContain('napoleon')
    expect(kept.said).not.toMatch(/arden|bell|grain caught|1920/)
    expect(kept.stats['ungroundedDropped']).toBe(0)
    expect(kept.stats['grounded']).toBe(dropped.stats['grounded'])
  })
})

test('drops GEM-RAG questions that echo the example in the prompt', async () => {
  const models = fakeModels({
    replies: {
      'utility-questions': () => ['Who built the mill at Arden?', 'Who lives on Cape Wrath?'],
      summarise: () => 'A keeper lives on Cape Wrath.',
    },
  })
  const index = await gemRag.index(chunks, models, gemRag.options.parse({}))
  expect(JSON.stringify(index.graph?.())).not.toContain('Arden')
  expect(index.stats?.()).toMatchObject({ questions: 1 })
  expect(index.warnings?.()['extractions dropped, because they repeat the example in the prompt']).toBe(1)
})

test('drops a report that echoes the example in the prompt', async () => {
  const report = (group: string) => ({
    title: group,
    summary: `What is known of ${group}.`,
    rating: 4,
    findings: [{ summary: 'John Bell built the mill', explanation: 'John Bell built Arden Mill in 1790.' }],
  })
  const reports = async (title: string) => {
    const models = fakeModels({ replies: { 'write-report': () => report(title) } })
    const community = { id: 0, level: 0 } as never
    return writeReports([community], () => 'A keeper lives on Cape Wrath.', models)
  }
  expect(await reports('Cape Wrath')).toMatchObject([
    { title: 'Cape Wrath', fullContent: '# Cape Wrath\n\nWhat is known of Cape Wrath.\n\n' },
  ])
  expect(await reports('Arden Mill and John Bell')).toEqual([])
})
