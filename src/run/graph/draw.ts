import type { ReadSettings, Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import { createMeter } from '../../models/index.ts'
import type { Drawing, Graph, Index } from '../../types.ts'
import { indexOf } from '../asking/build-index.ts'
import { cutCorpus, type ChunkedCorpus } from '../asking/chunk-corpus.ts'
import { withModels } from '../asking/conditions.ts'
import { labelOf } from '../find-by-name.ts'
import type { Settings } from '../settings.ts'
import { measureGraph } from './health.ts'
import { checkGraph, lookUpAll } from './look-up.ts'
import {
  withPlanCorpus,
  withTextCorpus,
  type CorpusRequest,
  type IndexedMethod,
  type OpenedCorpus,
} from './with-corpus.ts'

/** What is to be drawn: the first method that keeps a graph, where none is named, and questions to look up. */
export interface GraphRequest extends CorpusRequest {
  readonly ask: readonly string[]
}

/** Builds the graph of one corpus and looks the first questions up in it. Throws UserError and ModelError. */
export const draw = (plan: Plan, request: GraphRequest, settings: Settings): Promise<Drawing> =>
  withPlanCorpus(plan, request, settings, (opened) => drawCorpus(opened, request.ask))

/** Draws a text file as a corpus of one document, without a config. Throws as `draw` does. */
export const drawText = (
  file: string,
  request: Omit<GraphRequest, 'corpus'>,
  settings: Settings & ReadSettings,
): Promise<Drawing> => withTextCorpus(file, request, settings, (opened) => drawCorpus(opened, request.ask))

/** A search box that offers more would be no help, and each of them costs what a trial's retrieval costs. */
const mostQuestions = 200

/** Looks up the corpus's first 200 questions and the own ones in the first index with a graph. Throws UserError. */
async function drawCorpus(opened: OpenedCorpus, ask: readonly string[]): Promise<Drawing> {
  const { corpus, methods, budget, chunks } = opened
  const chunked = await cutCorpus({ ...corpus, questions: corpus.questions.slice(0, mostQuestions) }, chunks, opened)
  const { entry, index, graph } = await firstWithGraph(methods, chunked, opened)
  const { method } = entry
  const lookups = await lookUpAll(
    {
      ...{ method, index, graph, chunked, budget },
      // seeded as in a run, so that what is drawn is what a run would see
      asking: (id, work) => {
        const caller = { method: method.name, corpus: corpus.id, repeat: 0, question: id }
        return withModels(opened, 'retrieve', caller, createMeter(), work)
      },
    },
    ask,
  ).finally(async () => index.close?.())
  const { health } = measureGraph(graph, { ...chunked, corpus })
  return { method: labelOf(entry), corpus: corpus.id, graph, health, ...lookups }
}

/** Only an index knows whether it keeps a graph, so they are built one after the other. */
async function firstWithGraph(
  methods: readonly IndexedMethod[],
  chunked: ChunkedCorpus,
  context: OpenedCorpus,
): Promise<{ readonly entry: IndexedMethod; readonly index: Index; readonly graph: Graph }> {
  for (const entry of methods) {
    const index = await indexOf(entry, chunked, context, createMeter())
    if (index.graph) return { entry, index, graph: checkGraph(index.graph(), entry.method.name) }
    await index.close?.()
  }
  const names = methods.map((entry) => `"${labelOf(entry)}"`).join(', ')
  throw new UserError(
    methods.length === 1
      ? `the method ${names} has no graph; name another one with --method`
      : `none of these methods has a graph: ${names}; add one that has, such as a graph or memory method of \`gembench ls methods\``,
  )
}
