import { unseenCalls } from '../../basics/metrics.ts'
import { mean, sum } from '../../math/statistics/descriptive.ts'
import type { IndexLine, MethodRecord, Row } from '../../records.ts'
import type { GraphHealth, Phase, Usage } from '../../types.ts'
import { groupBy, itemAt } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { spearman } from '../../math/statistics/spearman.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** The names that were read in a sample of texts for one index, as `IndexLine` has them. */
export interface SampledNames {
  readonly corpus: string
  readonly repeat: number
  readonly names: Readonly<Record<string, string>>
}

/** How alike two extractions of the same texts are: rows, or one row and itself in other repeats. */
export interface Agreement {
  readonly rows: readonly [Row, Row]
  /** The mean over texts of the Jaccard index of their names; texts of which neither has a name are left out. */
  readonly jaccard: number
  readonly texts: number
}

/** Adds up the graphs of the lines of a row: over its corpora, for each the mean of its repeats. */
export function graphSum(): {
  add(line: Pick<IndexLine, 'graph' | 'corpus' | 'repeat'>): void
  summary(): GraphHealth | undefined
  readonly sampled: readonly SampledNames[]
} {
  const byCorpus = new Map<string, GraphHealth[]>()
  const sampled: SampledNames[] = []
  const total = (of: (graph: GraphHealth) => number): number =>
    sum([...byCorpus.values()].map((graphs) => mean(graphs.map(of))))
  return {
    sampled,
    add({ graph, corpus, repeat = 0 }) {
      if (!graph) return
      byCorpus.set(corpus, [...(byCorpus.get(corpus) ?? []), graph])
      if (graph.names) sampled.push({ corpus, repeat, names: graph.names })
    },
    summary() {
      if (byCorpus.size === 0) return undefined
      const isWhole = [...byCorpus.values()].flat().every(({ components }) => components !== null)
      return {
        ...{ nodes: total(({ nodes }) => nodes), edges: total(({ edges }) => edges) },
        withoutEdge: total(({ withoutEdge }) => withoutEdge),
        components: isWhole ? total(({ components }) => components ?? NaN) : null,
        largest: isWhole ? total(({ largest }) => largest ?? NaN) : null,
        ...{ entities: total(({ entities }) => entities), unrelated: total(({ unrelated }) => unrelated) },
        ...{ duplicates: total(({ duplicates }) => duplicates), sourced: total(({ sourced }) => sourced) },
        ...{ ungrounded: total(({ ungrounded }) => ungrounded), evidence: total(({ evidence }) => evidence) },
        unmentioned: total(({ unmentioned }) => unmentioned),
      }
    },
  }
}

/** A measure of the graphs of a row; a share is of `of`. `value`: null where it is not known. */
export interface GraphFigure {
  readonly title: string
  readonly value: number | null
  readonly unit: 'count' | 'share'
}

/** The measures of a graph, in the order of their columns; `tokens`: of language models at the index, 0 if unknown. */
export function graphFigures(graph: GraphHealth | undefined, tokens: number): readonly GraphFigure[] {
  const count = (title: string, value: number | null | undefined): GraphFigure => ({
    title,
    value: value ?? null,
    unit: 'count',
  })
  const share = (title: string, part: number | null | undefined, whole = 0): GraphFigure => ({
    ...{ title, unit: 'share' },
    value: part === null || part === undefined || whole === 0 ? null : part / whole,
  })
  const related = graph && graph.unrelated < graph.entities ? graph.unrelated : null
  return [
    count('nodes', graph?.nodes),
    count('edges', graph?.edges),
    share('nodes without an edge', graph?.withoutEdge, graph?.nodes),
    count('components', graph?.components),
    share('largest component', graph?.largest, graph?.nodes),
    count('entities', graph?.entities),
    share('entities without a relation', related, graph?.entities),
    share('near-duplicate entities', graph?.duplicates, graph?.entities),
    share('entities not in their text', graph?.ungrounded, graph?.sourced),
    share('evidence without an entity', graph?.unmentioned, graph?.evidence),
    count('index tokens a node', graph && graph.nodes > 0 && tokens > 0 ? tokens / graph.nodes : null),
  ]
}

/** The measures of a row; of an extraction of others it is not known what it spent. */
export function figuresOfRow(
  row: Row & { readonly graph?: GraphHealth; readonly warnings: Readonly<Record<string, number>> },
  usage: readonly (Row & Pick<Usage, 'promptTokens' | 'completionTokens'> & { readonly phase: Phase })[],
): readonly GraphFigure[] {
  const own = usage.filter((one) => one.phase === 'index' && isRow(one, row))
  const tokens = sum(own.map(({ promptTokens, completionTokens }) => promptTokens + completionTokens))
  return graphFigures(row.graph, row.warnings[unseenCalls] === undefined ? tokens : 0)
}

/** Fewer texts than these say nothing of two extractions, such as those that chunks of two sizes have in common. */
const fewestTexts = 5

/** Every two rows, and every row with itself in other repeats, that read names in the same texts. */
export function agreementsOf(
  methods: readonly MethodRecord[],
  sampledOf: (methodId: string) => readonly SampledNames[],
): readonly Agreement[] {
  const rows = methods
    .map(({ id, method, variant }) => ({ row: { method, variant }, sampled: sampledOf(id) }))
    .filter(({ sampled }) => sampled.length > 0)
  return rows.flatMap(({ row, sampled }, index) =>
    rows.slice(index).flatMap((other): readonly Agreement[] => {
      const indexes =
        other.row === row
          ? sampled.flatMap((one, at) => sampled.slice(at + 1).map((two) => [one, two] as const))
          : sampled.flatMap((one) => other.sampled.map((two) => [one, two] as const))
      const found = indexes.flatMap(([one, two]) =>
        one.corpus === two.corpus && (other.row === row || one.repeat === two.repeat)
          ? jaccards(one.names, two.names)
          : [],
      )
      return found.length < fewestTexts ? [] : [{ rows: [row, other.row], jaccard: mean(found), texts: found.length }]
    }),
  )
}

/** Of each text that both have, and of which one has a name. */
function jaccards(one: SampledNames['names'], other: SampledNames['names']): readonly number[] {
  return Object.entries(one).flatMap(([text, names]) => {
    const [a, b] = [hashesIn(names), hashesIn(other[text] ?? '')]
    const all = new Set([...a, ...b]).size
    return other[text] === undefined || all === 0 ? [] : [(a.length + b.length - all) / all]
  })
}

const hashesIn = (names: string): readonly string[] => names.match(/.{6}/g) ?? []

/** How a measure of the graphs of one method goes with its score, over its rows. */
export interface GraphCorrelation {
  readonly method: string
  readonly metric: string
  readonly measure: string
  /** Different graphs: rows whose graphs have equal measures are one, with the mean of their scores. */
  readonly graphs: number
  readonly rows: number
  /** Spearman's, and its p by a permutation test; `pAdjusted`: Holm over all measures of all methods. */
  readonly rho: number
  readonly p: number
  readonly pAdjusted: number
}

/** Fewer graphs than these show no correlation. */
const fewestGraphs = 6

/** A row with the measures of its graph and the mean of its score. */
export interface MeasuredRow {
  readonly method: string
  readonly figures: readonly GraphFigure[]
  readonly score: number
}

/** Of methods with six or more different graphs, the rank correlation of each measure with the score. */
export function graphCorrelations(
  rows: readonly MeasuredRow[],
  metric: string,
  seed: number,
): readonly GraphCorrelation[] {
  const found = [...groupBy(rows, ({ method }) => method)].flatMap(([method, own]) => {
    const graphs = [...groupBy(own, ({ figures }) => JSON.stringify(figures)).values()].map((equal) => ({
      figures: equal[0].figures,
      score: mean(equal.map(({ score }) => score)),
    }))
    return itemAt(graphs, 0).figures.flatMap(({ title: measure }, at) => {
      const known = graphs.flatMap(({ figures, score }) => {
        const { value } = itemAt(figures, at)
        return value === null ? [] : [{ value, score }]
      })
      if (known.length < fewestGraphs) return []
      const { rho, p } = spearman(
        known.map(({ value }) => value),
        known.map(({ score }) => score),
        { seed },
      )
      return Number.isNaN(rho) ? [] : [{ method, metric, measure, graphs: known.length, rows: own.length, rho, p }]
    })
  })
  const adjusted = holm(found.map(({ p }) => p))
  return found.map((one, index) => ({ ...one, pAdjusted: itemAt(adjusted, index) }))
}
