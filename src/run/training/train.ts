import type { Plan, PlannedMethod } from '../../config/index.ts'
import { UserError, ModelError } from '../../errors.ts'
import { freshNetwork, messagesOf } from '../../math/gat/network.ts'
import { fitNetwork, type Example } from '../../math/gat/train.ts'
import { mulberry32, seedFrom, shuffle } from '../../math/random.ts'
import { graphOfRecords } from '../../methods/graph-of-records/graph-of-records.ts'
import { formatWeights, featuresOf } from '../../methods/graph-of-records/weights.ts'
import { prepare } from '../prepare/prepare.ts'
import { silent, type Progress } from '../progress.ts'
import { stopOf, type Settings } from '../prepare/settings.ts'
import { embedderOf } from '../prepare/check-models.ts'
import { itemAt, slices, valueOf } from '../../basics/collections.ts'
import { bertScoreLabels, cosineLabels, rankByLabel } from '../../math/gat/losses.ts'
import { groupsOf, recordGraphs, type BuiltGraph } from '../../methods/graph-of-records/build.ts'
import { isLoss } from '../../methods/shared/attempt.ts'
import { createUsageCounter } from '../../models/index.ts'
import type { Corpus, Models } from '../../types.ts'
import { chunkWithModels } from '../execute/chunk-corpus.ts'
import { withModels, type CallContext, type IndexContext } from '../execute/run-context.ts'

/** The row of that name, or the first of graph-of-records. Throws UserError for an unknown row. */
export function rowToTrain({ methods }: Pick<Plan, 'methods'>, label: string | undefined): PlannedMethod {
  const rows = methods.filter(({ use }) => use === graphOfRecords.name)
  const row = rows.find((method) => label === undefined || method.label === label)
  if (row) return row
  const labels = rows.map((method) => `"${method.label}"`).join(', ')
  const name = label === undefined ? '' : `"${label}" `
  const choices = labels && `; there is ${labels}`
  throw new UserError(`no row ${name}of the method ${graphOfRecords.name} to train${choices}`)
}

/** The plan without networks, which need not be there: models are asked the same. */
export const withoutNetworks = (plan: Plan): Plan => ({
  ...plan,
  methods: plan.methods.map((row) =>
    row.use === graphOfRecords.name
      ? { ...row, options: { ...(row.options as object), gnn: 'none', weights: null } }
      : row,
  ),
})

/**
 * Trains the network of a row on the record graphs of all corpora; the same seed gives the same weights. `leftOut`:
 * graphs without an answered simulated query. Throws UserError, and ModelError where a graph cannot be built.
 */
export async function train(plan: Plan, label: string | undefined, settings: Settings) {
  const { progress = silent } = settings
  const row = rowToTrain(plan, label)
  const prepared = await prepare(withoutNetworks({ ...plan, selectedLabels: null, methods: [row] }), settings)
  try {
    const signal = stopOf(settings, prepared.models, ['complete', 'embed'])
    const context = { models: prepared.models, seed: plan.seed, limits: plan.limits, signal }
    const { examples, leftOut } = await examplesOf(
      prepared.corpora(),
      prepared.statistics.corpora,
      plan,
      context,
      progress,
    )
    const [first] = examples
    if (!first)
      throw new UserError('nothing to train on: no document of the dataset has a simulated query that was answered')
    const { network, losses } = await trainNetwork(examples, plan, signal, progress)
    const { heads: _heads, layers: _layers, ...trainConfig } = plan.train
    const lossCurve = epochMeans(losses, losses.length / plan.train.epochs)
    const weights = formatWeights(network, {
      embedder: embedderOf(prepared.models),
      trainConfig,
      seed: plan.seed,
      lossCurve,
      graphs: examples.length,
      nodes: examples.reduce((sum, { nodes }) => sum + nodes, 0),
      queries: examples.reduce((sum, { rankings: ranked }) => sum + ranked.length, 0),
    })
    return { weights, label: row.label, lossCurve, graphs: examples.length, leftOut, steps: losses.length }
  } finally {
    await prepared.close()
  }
}

async function trainNetwork(
  examples: readonly Example[],
  { train: training, seed }: Pick<Plan, 'train' | 'seed'>,
  signal: AbortSignal,
  progress: Progress,
) {
  const { heads, layers, epochs, batch, rate, coe, contrastive, tieRule, dropout, attentionDropout } = training
  const { features, nodes } = itemAt(examples, 0)
  const dim = features.length / nodes
  const random = mulberry32(seedFrom(seed, 'order of graphs'))
  const batches = Array.from({ length: epochs }, () => [...slices(shuffle(examples, random), batch)]).flat()
  const losses: EpochLoss[] = []
  progress.start('train', batches.length)
  try {
    const network = await fitNetwork(
      freshNetwork(dim, heads, layers, seedFrom(seed, 'weights')),
      batches,
      {
        rate,
        coe,
        tieRule,
        contrastive: contrastive ? 1 : 0,
        dropout: { features: dropout, attention: attentionDropout, random: mulberry32(seedFrom(seed, 'dropout')) },
      },
      async ({ contrastive: distance, ranking, total }, index) => {
        if (!Number.isFinite(total))
          throw new UserError(`the loss of step ${index + 1} is ${total}: take a smaller train.rate`)
        losses.push({ contrastive: distance, ranking, total })
        progress.at?.('train', `loss ${total.toFixed(4)}`)
        progress.tick('train', false)
        // lets Ctrl-C and the progress bar work
        await new Promise(setImmediate)
        signal.throwIfAborted()
      },
    )
    return { network, losses }
  } finally {
    progress.end('train')
  }
}

type EpochLoss = Readonly<Record<'contrastive' | 'ranking' | 'total', number>>

/** The means over the steps of each epoch, which has so many. */
const epochMeans = (losses: readonly EpochLoss[], steps: number): readonly EpochLoss[] =>
  [...slices(losses, steps)].map((epoch) => {
    const mean = (of: keyof EpochLoss): number => epoch.reduce((sum, loss) => sum + loss[of], 0) / steps
    return { contrastive: mean('contrastive'), ranking: mean('ranking'), total: mean('total') }
  })

/**
 * Builds and labels the record graphs of every corpus with the calls of a run; one of which every reply is lost is
 * counted. Throws the first error where nothing is left.
 */
export async function examplesOf(
  corpora: AsyncIterable<Corpus>,
  corpusCount: number,
  { train: training, chunks: chunking }: Pick<Plan, 'train' | 'chunks'>,
  context: CallContext & Pick<IndexContext, 'signal'>,
  progress: Progress,
) {
  const examples: Example[] = []
  const losses: ModelError[] = []
  let leftOut = 0
  progress.start('graph', corpusCount)
  try {
    for await (const corpus of corpora) {
      context.signal?.throwIfAborted()
      progress.at?.('graph', corpus.id)
      const { chunks, failure } = await chunkWithModels(corpus, chunking, context)
      if (failure) throw failure
      // the caller is that of a run, so that its calls are found in the cache
      const caller = { method: recordGraphs.name, corpus: corpus.id, repeat: 0 }
      await withModels(context, 'index', caller, createUsageCounter(), async (models) => {
        const graphs = await recordGraphs.make(chunks, models).catch((error: unknown) => {
          if (!isLoss(error)) throw error
          // every reply that it needed was lost
          losses.push(error)
          leftOut += groupsOf(chunks).length
          return []
        })
        for (const graph of graphs) {
          if (graph.records.length === 0) leftOut++
          else examples.push(await exampleOf(graph, training, models))
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

async function exampleOf(graph: BuiltGraph, training: Plan['train'], models: Models): Promise<Example> {
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
  const dim = itemAt(nodes, 0).vector.length
  const queries = new Float64Array(records.length * dim)
  records.forEach(({ queryVector }, place) => queries.set(queryVector, place * dim))
  return {
    nodes: nodes.length,
    features: featuresOf(graph),
    messages: messagesOf(nodes.length, edges, training),
    queries,
    rankings: labels.map(rankByLabel),
  }
}
