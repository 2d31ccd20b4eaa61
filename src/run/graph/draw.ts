import { rowName } from '../../text/names.ts'
import { basename } from 'node:path'
import { z } from 'zod'
import { readConfig, type Plan, type ReadSettings } from '../../config/index.ts'
import { ownOptions, readOwnDocuments } from '../../datasets/index.ts'
import { UserError, ModelError } from '../../errors.ts'
import { createUsageCounter } from '../../models/index.ts'
import type { Dataset, Drawing, Graph, Budget, LookupPassage, Models, Passage, Query } from '../../types.ts'
import { indexOf } from '../execute/build-index.ts'
import { chunkWithModels, type ChunkedCorpus } from '../execute/chunk-corpus.ts'
import { withModels } from '../execute/run-context.ts'
import { registries } from '../plug-ins/registries.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import { withPlanCorpus, type CorpusRequest, type OpenedCorpus } from './with-corpus.ts'
import type { Settings } from '../prepare/settings.ts'
import { checkGraph, measureGraph } from '../execute/check-index.ts'
import { retrieve, searchQueryOf, type Searchable } from '../execute/retrieve.ts'

/** What to draw: the named method, or the first with a graph; and questions to look up. */
export type GraphRequest = CorpusRequest & { readonly ask: readonly string[] }

/** Builds the graph of one corpus and looks the first questions up in it. Throws UserError and ModelError. */
export const draw = (plan: Plan, request: GraphRequest, settings: Settings): Promise<Drawing> =>
  withPlanCorpus(plan, request, settings, (corpus) => drawCorpus(corpus, request.ask))

/** Draws a file or folder of documents as one corpus, by the defaults of a config. Throws as `draw` does. */
export async function drawText(
  path: string,
  { method = 'gem-rag', ask }: Pick<GraphRequest, 'method' | 'ask'>,
  settings: Settings & ReadSettings,
): Promise<Drawing> {
  const idle = settings.set?.find((change) => /^(?!methods\.0|chunks|budget|limits|models|seed).*=/.test(change))
  if (idle !== undefined)
    throw new UserError(
      `--set ${idle.replace(/=.*/s, '')}: does not apply to a text; set methods.0.OPTION, chunks, budget, limits, models or seed`,
    )
  const objects = { dataset: new Map([['text', { item: textDataset(path), digest: '' }]]) }
  const source = { value: { name: 'text', dataset: 'text', methods: [method] }, name: '--method' }
  const plan = await readConfig(source, settings, { ...registries, objects })
  return withPlanCorpus({ ...plan, scorers: [] }, {}, { ...settings, objects }, ({ corpus, ...context }) =>
    drawCorpus({ ...context, corpus: { ...corpus, questions: [] } }, ask),
  )
}

const textDataset = (path: string): Dataset => ({
  name: 'text',
  summary: 'Documents without questions.',
  source: 'own data',
  licence: 'own data',
  options: z.strictObject({}),
  evidence: false,
  withoutAnswers: true,
  files: async () => [],
  async *corpora() {
    const { documents } = await readOwnDocuments(path, ownOptions({}))
    // a dataset without a question is refused: this one is not looked up
    const question = { id: 'none', text: 'none', reference: { kind: 'answer', accepted: [] } } as const
    yield { id: basename(path), documents, questions: [question] }
  },
})

/** A search box that offers more would be no help, and each costs a retrieval. */
const mostQuestions = 200

async function drawCorpus(context: OpenedCorpus, ask: readonly string[]): Promise<Drawing> {
  const { corpus, methods, budget, chunks } = context
  const questions = corpus.questions.slice(0, mostQuestions)
  const chunkedCorpus = await chunkWithModels({ ...corpus, questions }, chunks, context)
  const { entry, index, graph } = await firstWithGraph(methods, chunkedCorpus, context)
  const { method, row } = entry
  // seeded as in a run, for the same graph and passages
  const asking: LookupContext['asking'] = (question, work) => {
    const caller = { method: method.name, corpus: corpus.id, repeat: 0, question }
    return withModels(context, 'retrieve', caller, createUsageCounter(), work)
  }
  try {
    const lookups = await lookUpAll({ method, index, graph, chunkedCorpus, budget, asking }, ask)
    return { method: rowName(row), corpus: corpus.id, graph, health: measureGraph(graph), ...lookups }
  } finally {
    await index.close?.()
  }
}

/** Only an index knows whether it keeps a graph, so they are built one after the other. */
async function firstWithGraph(methods: readonly MethodEntry[], chunkedCorpus: ChunkedCorpus, context: OpenedCorpus) {
  for (const entry of methods) {
    const index = await indexOf(entry, chunkedCorpus, context, createUsageCounter())
    if (index.graph) return { entry, index, graph: checkGraph(index.graph(), entry.method.name) }
    await index.close?.()
  }
  const names = methods.map((entry) => `"${rowName(entry.row)}"`).join(', ')
  throw new UserError(
    methods.length === 1
      ? `the method ${names} has no graph; name another one with --method`
      : `none of these methods has a graph: ${names}; add a graph method of \`gembench ls methods\``,
  )
}

export interface LookupContext extends Searchable {
  readonly graph: Graph
  readonly budget: Budget
  /** Gives the models to the question of that id, seeded as in a run. */
  readonly asking: <T>(questionId: string, work: (models: Models) => Promise<T>) => Promise<T>
}

/** The passages of the dataset's questions and of `texts`; failed calls are counted. */
export async function lookUpAll(
  context: LookupContext,
  texts: readonly string[],
): Promise<Pick<Drawing, 'lookups' | 'failed'>> {
  const { chunkedCorpus, method, graph } = context
  const { corpus, locate } = chunkedCorpus
  const nodePlaces = places(graph)
  const chunks = new Map(chunkedCorpus.chunks.map((chunk) => [chunk.id, chunk]))
  const nodeOf = (id: string) => {
    const text = chunks.get(id)?.text ?? ''
    return nodePlaces.byId.get(id) ?? nodePlaces.byText.get(text) ?? []
  }
  const outcomes = await Promise.all([
    ...corpus.questions.map(async (question) => {
      const passages = await lookUp(searchQueryOf(question, method), context, nodePlaces)
      const evidence = question.evidence && locate.relevant(question.evidence).relevant.flatMap(nodeOf)
      return passages && { question: question.text, own: false, found: passages, ...(evidence && { evidence }) }
    }),
    ...texts.map(async (text, number) => {
      const passages = await lookUp({ id: `own ${number + 1}`, text }, context, nodePlaces)
      return passages && { question: text, own: true, found: passages }
    }),
  ])
  const lookups = outcomes.filter((lookup) => lookup !== undefined)
  return { lookups, failed: outcomes.length - lookups.length }
}

/** The nodes of a question's passages within the budget; undefined where a call failed. */
async function lookUp(
  query: Query,
  context: LookupContext,
  nodePlaces: Places,
): Promise<readonly LookupPassage[] | undefined> {
  try {
    const { passages } = await context.asking(query.id, (models) => retrieve(query, context, context.budget, models))
    return passages.map((passage) => {
      const nodes = nodesOf(passage, nodePlaces)
      const { score, text, why } = passage
      return { nodes, score, ...(nodes.length === 0 && { text }), ...(why && { why }) }
    })
  } catch (error) {
    if (error instanceof ModelError) return undefined
    throw error
  }
}

type Places = ReturnType<typeof places>

/** Equal texts belong to the first node that has them. */
const places = ({ nodes }: Graph) => ({
  byId: new Map(nodes.map(({ id }, index) => [id, index])),
  byText: new Map(nodes.map(({ text }, index) => [text, index] as const).reverse()),
})

/** The nodes that a passage names, or the node of its id or text, or those of its chunks. */
function nodesOf({ kind, from, text, why }: Passage, { byId, byText }: Places) {
  const nodeIds = why?.['nodes']
  if (Array.isArray(nodeIds)) return nodeIds.flatMap((id: string | number) => byId.get(String(id)) ?? [])
  const sources = from.flatMap((id) => byId.get(id) ?? [])
  if (kind === 'chunk' && sources.length > 0) return sources
  const node = byText.get(text)
  return node === undefined ? sources : [node]
}
