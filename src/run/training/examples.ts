import { valueOf } from '../../basics/collections.ts'
import type { PlannedTraining } from '../../config/index.ts'
import { ModelError } from '../../errors.ts'
import { bertScoreLabels, cosineLabels, ranked } from '../../math/gat/losses.ts'
import { messagesOf } from '../../math/gat/network.ts'
import type { Example } from '../../math/gat/train.ts'
import { groupsOf, recordGraphs, type BuiltGraph } from '../../methods/graph-of-records/build.ts'
import type { RecordOptions } from '../../methods/graph-of-records/options.ts'
import { featuresOf } from '../../methods/graph-of-records/weights.ts'
import { isLoss } from '../../methods/shared/attempt.ts'
import { createMeter } from '../../models/index.ts'
import type { Models } from '../../types.ts'
import { cutCorpus } from '../asking/chunk-corpus.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { withModels, type CallConditions, type IndexConditions } from '../asking/conditions.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Progress } from '../progress.ts'

/** What a network is trained on, and how many graphs are left out since none of their queries was answered. */
export interface Examples {
  readonly examples: readonly Example[]
  readonly leftOut: number
}

/** What of a prepared training says which graphs there are. */
interface LearntFrom extends Pick<Prepared, 'corpora'> {
  readonly plan: Pick<Prepared['plan'], 'train' | 'chunks'>
  readonly methods: readonly Pick<MethodEntry, 'options'>[]
  readonly survey: Pick<Prepared['survey'], 'corpora'>
}

/**
 * Builds and labels the record graphs of every corpus with the calls of a run; one of which every reply is lost is
 * counted. Throws the first error where nothing is left.
 */
export async function examplesOf(
  { plan, methods, corpora, survey }: LearntFrom,
  conditions: CallConditions & Pick<IndexConditions, 'ended'>,
  progress: Progress,
): Promise<Examples> {
  const options = methods[0]?.options as RecordOptions
  const examples: Example[] = []
  const losses: ModelError[] = []
  let leftOut = 0
  progress.start('graph', survey.corpora)
  try {
    for await (const corpus of corpora()) {
      conditions.ended?.throwIfAborted()
      progress.at?.('graph', corpus.id)
      const { chunks, failure } = await cutCorpus(corpus, plan.chunks, conditions)
      if (failure) throw failure
      // the caller is that of a run, so that its calls are found in the cache
      const caller = { method: recordGraphs.name, corpus: corpus.id, repeat: 0 }
      await withModels(conditions, 'index', caller, createMeter(), async (models) => {
        const graphs = await unlessLost(recordGraphs.make(chunks, models, options))
        if (graphs instanceof ModelError) {
          losses.push(graphs)
          leftOut += groupsOf(chunks, options, (text) => models.countTokens(text)).length
          return
        }
        for (const graph of graphs) {
          if (graph.records.length === 0) leftOut++
          else examples.push(await exampleOf(graph, plan.train, models))
        }
      })
      progress.tick('graph', false)
    }
  } finally {
    progress.end('graph')
  }
  const [first] = losses
  if (first && examples.length === 0) throw first
  return { examples, leftOut }
}

/** What is made, or the error where every reply that it needed was lost. */
async function unlessLost<T>(making: Promise<T>): Promise<T | ModelError> {
  try {
    return await making
  } catch (error) {
    if (isLoss(error)) return error
    throw error
  }
}

async function exampleOf(graph: BuiltGraph, training: PlannedTraining, models: Models): Promise<Example> {
  const { nodes, edges, records, units } = graph
  const places = new Map(nodes.map(({ text }, id) => [text, id]))
  const sources = records.map(({ chunk }) => valueOf(places, units[chunk]?.text))
  const labels =
    training.labels === 'cosine'
      ? cosineLabels(
          nodes.map(({ vector }) => vector),
          sources,
        )
      : bertScoreLabels(await Promise.all(nodes.map(async ({ text }) => models.embedTokens(text))), sources)
  const dim = nodes[0]?.vector.length ?? 0
  const queries = new Float64Array(records.length * dim)
  records.forEach(({ queryVector }, place) => queries.set(queryVector, place * dim))
  return {
    nodes: nodes.length,
    features: featuresOf(graph),
    messages: messagesOf(nodes.length, edges, training),
    queries,
    ranked: labels.map(ranked),
  }
}
