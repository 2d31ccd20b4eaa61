import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ModelError } from '../../errors.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import type { Drawing, Graph } from '../../types.ts'
import { chunkCorpus } from '../execute/chunk-corpus.ts'
import { checkGraph } from '../execute/check-index.ts'
import { lookUpAll, type LookupContext, draw, drawText, type GraphRequest } from './draw.ts'
import { query } from '../query.ts'

const sample = async (
  config: Readonly<Record<string, unknown>>,
  sketch: Partial<GraphRequest> = {},
): Promise<Drawing> => {
  const project = await tinyProject(config)
  return draw(await tinyPlan(project), { ask: [], ...sketch }, tinySettings(project))
}

async function expectMistake(drawing: Promise<Drawing>, message: string): Promise<void> {
  await expect(drawing).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining(message) })
  await expect(drawing).rejects.toThrow(/^[^\n]*$/)
}

describe('the drawing', () => {
  test('has the first method with a graph, the questions of the dataset and those of the command', async () => {
    const drawing = await sample({ methods: ['bm25', 'gem-rag', 'unweaver'] }, { ask: ['Who baked rye bread?'] })
    expect(drawing).toMatchObject({ method: 'gem-rag', corpus: 'sample', failed: 0 })
    expect(drawing.lookups.map(({ question, own: ownRun }) => [question, ownRun])).toEqual([
      ['Who built the mill at Orrin?', false],
      ['Where did the oven of the miller go in the end?', false],
      ['What did a loaf of rye bread cost?', false],
      ['Who baked rye bread?', true],
    ])
    expect(await sample({ methods: ['bm25', 'unweaver', 'gem-rag'] })).toMatchObject({ method: 'unweaver' })
    expect(await sample({ methods: ['unweaver', 'gem-rag'] }, { method: 'gem-rag' })).toMatchObject({
      method: 'gem-rag',
    })
  })

  test.each(['gem-rag', 'unweaver', 'hipporag2'])(
    '%s: the nodes of a query are the retrieved ones, in their order',
    async (method) => {
      const project = await tinyProject({ methods: [method] })
      const [plan, settings] = [await tinyPlan(project), tinySettings(project)]
      const question = 'Where did Edric Sloe go?'
      const drawing = await draw(plan, { ask: [question] }, settings)
      const { passages } = await query(plan, { method, question }, settings)
      const result = drawing.lookups.at(-1)?.found ?? []
      expect(result.map(({ nodes: [node = -1] }) => drawing.graph.nodes[node]?.text)).toEqual(
        passages.map(({ text }) => text),
      )
      expect(result.map(({ why }) => why)).toEqual(passages.map(({ why }) => why))
      expect(result.length).toBeGreaterThan(0)
    },
  )

  test('has the layers of a tree as groups', async () => {
    const raptor = { use: 'raptor', scope: 'corpus', chunkTokens: 12 }
    const { nodes, groups = [] } = (await sample({ methods: [raptor] })).graph
    expect(groups[0]).toBe('layer 1')
    expect(nodes.map(({ kind, group = 0 }) => `${kind} ${groups[group - 1] ?? ''}`)).toEqual(
      nodes.map(({ kind, data }) => (kind === 'chunk' ? 'chunk ' : `summary layer ${String(data?.['layer'])}`)),
    )
  })

  test('marks the nodes of chunks with evidence, and keeps the text of a passage without a node', async () => {
    const { graph, lookups } = await sample({ methods: ['gem-rag'] })
    const evidence = lookups.map(({ evidence = [] }) => evidence.map((node) => graph.nodes[node]?.text ?? ''))
    expect(evidence[0]?.join()).toContain('built in 1841 by Tamsin Vale')
    expect(evidence[1]?.length).toBeGreaterThan(1)
    expect(evidence[2]).toEqual([])
    const phrases = await sample({ methods: ['hipporag'] })
    expect(phrases.lookups[0]?.found[0]).toMatchObject({ nodes: [], text: expect.any(String) })
  })

  test('counts a question whose model call fails, and throws any other error', async () => {
    const corpus = {
      id: 'c',
      documents: [{ id: 'd', text: 'One chunk.' }],
      questions: ['Who?', 'When?'].map((text) => ({
        id: text,
        text,
        reference: { kind: 'turn', accepted: '' } as const,
      })),
    }
    const chunks = { size: 9, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' } as const
    const failing = (error: Error): LookupContext => ({
      method: { name: 'odd' },
      graph: { nodes: [], edges: [] },
      chunkedCorpus: chunkCorpus(corpus, chunks),
      budget: { passages: 1, tokens: 9 },
      asking: (_id, work) => work(fakeModels()),
      index: { retrieve: async ({ text }) => (text === 'Who?' ? Promise.reject(error) : []) },
    })
    expect(await lookUpAll(failing(new ModelError('server', 'down')), ['Why?'])).toEqual({
      lookups: [
        { question: 'When?', own: false, found: [] },
        { question: 'Why?', own: true, found: [] },
      ],
      failed: 1,
    })
    await expect(lookUpAll(failing(new Error('a bug')), [])).rejects.toThrow('a bug')
  })
})

describe('mistakes', () => {
  test.each([
    [{ methods: ['bm25', 'vector'] }, {}, 'none of these methods has a graph: "bm25", "vector"'],
    [{ methods: ['bm25', 'gem-rag'] }, { method: 'bm25' }, '"bm25" has no graph'],
    [{ methods: ['gem-rag'] }, { method: 'gem-rga' }, 'did you mean "gem-rag"'],
    [{ methods: ['gem-rag'] }, { corpus: 'smaple' }, 'did you mean "sample"'],
  ])('%j, %j', async (config, sketch, message) => {
    await expectMistake(sample(config, sketch), message)
  })

  test.each<[unknown, string]>([
    [{ nodes: [{ id: 'a', kind: 'chunk' }], edges: [] }, '"nodes[0].text" is missing'],
    [{ nodes: [], edges: [{ from: 0, to: 1, weight: 1 }] }, '"edges[0]" must join two of the 0 nodes'],
    [
      { nodes: [{ id: 'a', kind: 'b', text: '' }], edges: [{ from: 0, to: 0, weight: NaN }] },
      '"edges[0].weight" must not be NaN',
    ],
  ])('a graph that cannot be: %j', (graph, message) => {
    expect(() => checkGraph(graph as Graph, 'odd')).toThrow(message)
  })
})

describe('a text file without a config', () => {
  const textSettings = (project: string, ...set: readonly string[]) => ({
    ...tinySettings(project),
    set,
    cwd: project,
    environment: { SCOPE: 'corpus' },
  })
  const millOf = (project: string): string => join(project, 'data', 'documents', 'the-mill.md')

  test('is one document, chunked and cached with the defaults', async () => {
    const project = await tinyProject()
    const drawing = await drawText(millOf(project), { ask: ['Who built the mill?'] }, textSettings(project))
    expect(drawing).toMatchObject({ method: 'gem-rag', corpus: 'the-mill.md', lookups: [{ own: true }] })
    expect(drawing.lookups[0]?.found[0]?.nodes).toEqual([0])
    expect(drawing.graph.nodes[0]?.text).toContain('Tamsin Vale')
  })

  test('accepts options of the method and the config keys for documents', async () => {
    const project = await tinyProject()
    const drawSet = (...set: readonly string[]): Promise<Drawing> =>
      drawText(millOf(project), { ask: ['Who built the mill?'] }, textSettings(project, ...set))
    const kinds = async (...set: readonly string[]) => (await drawSet(...set)).graph.nodes.map(({ kind }) => kind)
    expect(await kinds('chunks.size=30')).toEqual(['chunk', 'chunk', 'chunk', 'summary', 'summary'])
    expect(await kinds('chunks.size=30', 'methods.0.components=1')).toEqual(['chunk', 'chunk', 'chunk', 'summary'])
    expect(await kinds('chunks.size=10', 'methods.0.components=0', 'methods.0.scope=${SCOPE}')).toHaveLength(7)
    expect((await drawSet('chunks.size=30', 'budget.passages=2')).lookups[0]?.found).toHaveLength(2)
    const entities = await drawText(millOf(project), { method: 'unweaver', ask: [] }, textSettings(project))
    expect(entities.graph.nodes.some(({ kind }) => kind === 'entity')).toBe(true)
  })

  test.each([
    ['methods.0.componentz=1', 'did you mean "components"?'],
    ['methods.0.components=-1', 'components: Too small'],
    ['chunks.overlap=200', 'must be less than chunks.size'],
    ['models.embed=extractive', '"extractive" cannot embed'],
    ['methods.0.scope=${NOWHERE}', 'environment variable NOWHERE is not set'],
    ['nonsense', 'must be key=value'],
  ])('--set %s: %s', async (set, message) => {
    const project = await tinyProject()
    await expectMistake(drawText(millOf(project), { ask: [] }, textSettings(project, set)), message)
  })

  test.each([
    ['nowhere.txt', undefined, 'nowhere.txt: no such file'],
    ['blank.txt', undefined, 'blank.txt: holds no documents'],
    ['blank.txt', 'gem-rga', 'did you mean "gem-rag"'],
  ])('%s with %s: %s', async (name, method, message) => {
    const project = await tinyProject()
    await writeFile(join(project, 'blank.txt'), ' \n')
    const sketch = { ask: [], ...(method !== undefined && { method }) }
    await expect(drawText(join(project, name), sketch, textSettings(project))).rejects.toThrow(message)
  })
})
