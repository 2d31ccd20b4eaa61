import type { Plan, PlannedChunks } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { createMeter, type OpenedModels } from '../models/index.ts'
import type { Budget, Corpus, Drawing, Graph, Index, Models, Phase } from '../types.ts'
import type { Contestant, Shelf } from './ask.ts'
import { fill } from './ask-all.ts'
import { checkGraph } from './check-graph.ts'
import { lookUpAll } from './look-up.ts'
import { contestantNamed, corpusNamed, labelOf } from './named.ts'
import { prepare, type Settings } from './prepare.ts'

/** What is to be drawn: the first method that keeps a graph and the first corpus, where none is named, and questions to look up beside the dataset's. */
export interface Sketch {
  readonly method?: string
  readonly corpus?: string
  readonly ask: readonly string[]
}

/** Builds the graph of one corpus of a plan and looks the first questions up in it. Throws UserError, and ModelError when the index cannot be built. */
export async function draw(plan: Plan, { method, corpus, ask }: Sketch, settings: Settings): Promise<Drawing> {
  const prepared = await prepare(plan, settings)
  try {
    const { contestants, corpora, models } = prepared
    const chosen = method === undefined ? contestants : [contestantNamed(method, contestants)]
    return await drawCorpus(await corpusNamed(corpus, corpora()), chosen, ask, { ...plan, models })
  } finally {
    await prepared.close()
  }
}

/** Under which conditions an index is built and asked: those of a run. */
export interface Studio {
  readonly models: OpenedModels
  readonly chunks: PlannedChunks
  readonly budget: Budget
  readonly seed: number
}

/** A search box that offers more would be no help, and each of them costs what a trial's retrieval costs. */
const mostQuestions = 200

/** Builds indexes in order until one keeps a graph, and looks up questions in it: the corpus's first 200 and the own ones. Throws UserError where none does. */
export async function drawCorpus(
  corpus: Corpus,
  contestants: readonly DrawnMethod[],
  ask: readonly string[],
  studio: Studio,
): Promise<Drawing> {
  const { budget, chunks } = studio
  const shelf = fill({ ...corpus, questions: corpus.questions.slice(0, mostQuestions) }, chunks)
  const { contestant, index, graph } = await firstWithGraph(contestants, shelf, studio)
  const { method } = contestant
  const models = (question: string): Models => scopeOf(studio, 'retrieve', method.name, corpus.id, question, 0)
  const looked = await lookUpAll({ method, index, graph, shelf, budget, models }, ask)
  return { method: labelOf(contestant), corpus: corpus.id, graph, ...looked }
}

/** As much of a contestant as a drawing needs. */
export type DrawnMethod = Pick<Contestant, 'row' | 'method' | 'options'>

/** Only an index knows whether it keeps a graph, so they are built one after the other. */
async function firstWithGraph(
  contestants: readonly DrawnMethod[],
  shelf: Shelf,
  studio: Studio,
): Promise<{ readonly contestant: DrawnMethod; readonly index: Index; readonly graph: Graph }> {
  for (const contestant of contestants) {
    const { method, options } = contestant
    const index = await method.index(shelf.chunks, scopeOf(studio, 'index', method.name, shelf.corpus.id), options)
    if (index.graph) return { contestant, index, graph: checkGraph(index.graph(), method.name) }
  }
  const names = contestants.map((contestant) => `"${labelOf(contestant)}"`).join(', ')
  throw new UserError(
    contestants.length === 1
      ? `the method ${names} keeps no graph; name another one with --method`
      : `none of these methods keeps a graph: ${names}; add one that does, such as a graph or memory method of \`gembench ls methods\``,
  )
}

/** Seeded as in a run, so that what is drawn is what a run would see. */
const scopeOf = (
  { models, seed }: Studio,
  phase: Phase,
  method: string,
  ...rest: readonly (string | number)[]
): Models => models.scope({ phase, sample: 0, seed: [seed, phase, method, ...rest], meter: createMeter() })
