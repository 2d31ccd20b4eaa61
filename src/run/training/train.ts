import type { Plan, PlannedMethod } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import { freshNetwork } from '../../math/gat/network.ts'
import { trainedOn, type Example } from '../../math/gat/train.ts'
import { mulberry32, seedFrom, shuffle } from '../../math/random.ts'
import { graphOfRecords } from '../../methods/graph-of-records/graph-of-records.ts'
import { writtenWeights, type Weights } from '../../methods/graph-of-records/weights.ts'
import { prepare } from '../prepare/prepare.ts'
import { silent, type Progress } from '../progress.ts'
import { embedderOf } from '../saved/form.ts'
import { stopOf, type Settings } from '../settings.ts'
import { examplesOf } from './examples.ts'

/** What a training gave: the text of the weights file, and what is worth telling. */
export interface Trained {
  readonly weights: string
  readonly label: string
  readonly lossCurve: readonly EpochLoss[]
  readonly graphs: number
  /** Graphs without a simulated query that was answered: there is nothing to learn from them. */
  readonly leftOut: number
  readonly steps: number
}

/** The row of that name, or the first of graph-of-records. Throws UserError where there is none. */
export function rowToTrain({ methods }: Pick<Plan, 'methods'>, label: string | undefined): PlannedMethod {
  const rows = methods.filter(({ use }) => use === graphOfRecords.name)
  const row = label === undefined ? rows[0] : rows.find((one) => one.label === label)
  if (row) return row
  const known = rows.map((one) => `"${one.label}"`)
  throw new UserError(
    known.length === 0
      ? `the config has no row of the method ${graphOfRecords.name}, whose network is trained: add one`
      : `"${label ?? ''}" is no row of the method ${graphOfRecords.name}; there is ${known.join(', ')}`,
  )
}

/**
 * The plan without networks, which need not be there: what is asked of models to build record graphs and to answer is
 * the same.
 */
export const withoutNetworks = (plan: Plan): Plan => ({
  ...plan,
  methods: plan.methods.map((row) =>
    row.use === graphOfRecords.name
      ? { ...row, options: { ...(row.options as object), gnn: 'none', weights: null } }
      : row,
  ),
})

/**
 * Trains the network of a row on the record graphs of all corpora, by Adam; the same seed gives the same weights.
 * Throws UserError, ModelError where a graph cannot be built, and what `signal` is aborted with.
 */
export async function train(
  plan: Plan,
  label: string | undefined,
  settings: Settings,
  progress: Progress = silent,
): Promise<Trained> {
  const row = rowToTrain(plan, label)
  const prepared = await prepare(withoutNetworks({ ...plan, asked: null, methods: [row] }), settings)
  try {
    const signal = stopOf(settings, prepared.models, { roles: ['complete', 'embed'], scorers: [] })
    const conditions = { models: prepared.models, seed: plan.seed, limits: plan.limits, ended: signal }
    const { examples, leftOut } = await examplesOf(prepared, conditions, progress)
    const [first] = examples
    if (!first)
      throw new UserError('nothing to train on: no document of the dataset has a simulated query that was answered')
    const { network, losses } = await trainNetwork(examples, plan, signal, progress)
    const { heads: _heads, layers: _layers, preset: _preset, ...trainConfig } = plan.train
    const lossCurve = epochMeans(losses, losses.length / plan.train.epochs)
    const facts: Parameters<typeof writtenWeights>[1] = {
      ...{ embedder: embedderOf(prepared.models), trainConfig, seed: plan.seed, lossCurve },
      graphs: examples.length,
      nodes: examples.reduce((sum, { nodes }) => sum + nodes, 0),
      queries: examples.reduce((sum, { ranked }) => sum + ranked.length, 0),
    }
    const weights = writtenWeights(network, facts)
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
): Promise<{ readonly network: Weights['network']; readonly losses: readonly EpochLoss[] }> {
  const { heads, layers, epochs, batch, rate, coe, contrastive, tieRule, dropout, attentionDropout } = training
  const [first] = examples
  const dim = (first?.features.length ?? 0) / (first?.nodes ?? 1)
  const random = mulberry32(seedFrom(seed, 'order of graphs'))
  const batches = Array.from({ length: epochs }, () => inBatches(shuffle(examples, random), batch)).flat()
  const losses: EpochLoss[] = []
  progress.start('train', batches.length)
  try {
    const network = await trainedOn(
      freshNetwork(dim, heads, layers, seedFrom(seed, 'weights')),
      batches,
      {
        ...{ rate, coe, tieRule, contrastive: contrastive ? 1 : 0 },
        dropout: { features: dropout, attention: attentionDropout, random: mulberry32(seedFrom(seed, 'dropout')) },
      },
      async ({ contrastive: one, ranking, total }, index) => {
        if (!Number.isFinite(total))
          throw new UserError(`the loss of step ${index + 1} is ${total}: take a smaller train.rate`)
        losses.push({ contrastive: one, ranking, total })
        progress.at?.('train', `loss ${total.toFixed(4)}`)
        progress.tick('train', false)
        // lets Ctrl-C be heard, and the bar be drawn
        await new Promise(setImmediate)
        signal.throwIfAborted()
      },
    )
    return { network, losses }
  } finally {
    progress.end('train')
  }
}

const inBatches = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, place) => items.slice(place * size, (place + 1) * size))

interface EpochLoss {
  readonly contrastive: number
  readonly ranking: number
  readonly total: number
}

/** The means over the steps of each epoch, which has so many. */
const epochMeans = (losses: readonly EpochLoss[], steps: number): readonly EpochLoss[] =>
  Array.from({ length: losses.length / steps }, (_, epoch) => {
    const own = losses.slice(epoch * steps, (epoch + 1) * steps)
    const mean = (of: keyof EpochLoss): number => own.reduce((sum, loss) => sum + loss[of], 0) / own.length
    return { contrastive: mean('contrastive'), ranking: mean('ranking'), total: mean('total') }
  })
