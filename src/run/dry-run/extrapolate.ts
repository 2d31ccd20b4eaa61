import type { Kind, Phase, Usage } from '../../types.ts'
import type { DataSize } from './sample-data.ts'

/** Calls and tokens, as a run counts them. */
export interface DryUsage {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly embeddedTokens: number
  /** Of the prompt tokens, those that a rerank model reads. */
  readonly rankedTokens: number
  /** Tokens of embedded texts that the embedder does not read. */
  readonly unreadTokens: number
}

/** Maps each number of a usage. */
export const eachNumber = (make: (field: keyof DryUsage) => number): DryUsage => ({
  calls: make('calls'),
  promptTokens: make('promptTokens'),
  completionTokens: make('completionTokens'),
  embeddedTokens: make('embeddedTokens'),
  rankedTokens: make('rankedTokens'),
  unreadTokens: make('unreadTokens'),
})

export const noUsage = eachNumber(() => 0)

export const addUsage = (sum: DryUsage, more: Partial<Usage>): DryUsage =>
  eachNumber((field) => sum[field] + (more[field] ?? 0))

/** What a row used over sampled data: by its indexes, and by its trials of each kind of question. */
export interface RowUsage {
  /** Of the first repeat, and of a later one: none where indexing is deterministic. */
  readonly index: { first: DryUsage; later: DryUsage }
  readonly trials: Map<Kind, { count: number; usage: Record<TrialPhase, DryUsage> }>
  failure?: string
}

type TrialPhase = Exclude<Phase, 'index'>

/** Sizes of a dataset and of the samples of it that were run. */
export interface Scale {
  readonly dataset: DataSize
  readonly large: DataSize
  readonly small?: DataSize
  readonly repeats: number
}

/** The expected usage of a row over the whole dataset, from its usage over the samples. */
export function extrapolate(large: RowUsage, small: RowUsage | undefined, scale: Scale): Record<Phase, DryUsage> {
  const index = eachNumber(
    (field) =>
      ofCorpora(large.index.first[field], small?.index.first[field], scale) +
      (scale.repeats - 1) * ofCorpora(large.index.later[field], small?.index.later[field], scale),
  )
  const ofPhase = (phase: TrialPhase): DryUsage =>
    eachNumber((field) => ofQuestions((row) => perTrial(row, phase, field), large, small, scale))
  return { index, retrieve: ofPhase('retrieve'), answer: ofPhase('answer'), judge: ofPhase('judge') }
}

/** A line through the two samples, by corpora and chunks; in proportion to the chunks where there is one. */
function ofCorpora(large: number, small: number | undefined, { dataset, ...sizes }: Scale): number {
  const chunks = sizes.large.chunks - (sizes.small?.chunks ?? 0)
  if (small === undefined || !sizes.small || chunks <= 0)
    return sizes.large.chunks === 0 ? 0 : (large * dataset.chunks) / sizes.large.chunks
  const perChunk = (large - small) / chunks
  const perCorpus = (large - perChunk * sizes.large.chunks) / sizes.large.corpora
  return Math.max(0, perCorpus * dataset.corpora + perChunk * dataset.chunks)
}

/** The mean of a trial of each kind. */
type Means = ReadonlyMap<Kind, number>

const perTrial = ({ trials }: RowUsage, phase: TrialPhase, field: keyof DryUsage): Means =>
  new Map([...trials].map(([kind, { count, usage }]) => [kind, usage[phase][field] / count]))

/** Growth of a trial's usage, as a share of that of chunks, below which it is ignored. */
const leastGrowth = 0.25

function ofQuestions(
  meansOf: (row: RowUsage) => Means,
  large: RowUsage,
  small: RowUsage | undefined,
  { dataset, repeats, ...sizes }: Scale,
): number {
  const means = meansOf(large)
  const countOf = (kind: Kind): number => dataset.questions.get(kind) ?? 0
  const sumOf = (means: Means): number => {
    const sums = Array.from(means, ([kind, mean]) => mean * countOf(kind))
    return sums.reduce((sum, part) => sum + part, 0)
  }
  const all = [...dataset.questions.values()].reduce((sum, count) => sum + count, 0)
  const ofSampledKinds = [...means.keys()].reduce((sum, kind) => sum + countOf(kind), 0)
  const once = (sumOf(means) * all) / Math.max(1, ofSampledKinds)
  const before = small ? sumOf(meansOf(small)) : 0
  const chunks = sizes.large.chunksPerQuestion
  const chunkGrowth = chunks / (sizes.small?.chunksPerQuestion ?? chunks) - 1
  const growth = before > 0 && chunkGrowth > 0 ? (sumOf(means) / before - 1) / chunkGrowth : 0
  if (growth < leastGrowth) return once * repeats
  const perChunk = (1 - before / sumOf(means)) / (chunks - chunks / (1 + chunkGrowth))
  return once * repeats * Math.max(0, 1 + perChunk * (dataset.chunksPerQuestion - chunks))
}
