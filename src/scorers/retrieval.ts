import { itemAt, valueOf } from '../basics/collections.ts'
import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { type Retrieved, trecOrder } from '../math/trec-order.ts'
import type { Question, RankedPassage, ScorerInput } from '../types.ts'

const units = ['chunk', 'document', 'evidence'] as const

const options = z
  .strictObject({
    k: z
      .array(z.int().positive())
      .min(1)
      .default([2, 5])
      .describe('Ranks at which the measures are cut, each with a column for recall'),
    unit: z
      .enum(units)
      .default('chunk')
      .describe(
        'What counts as relevant: chunks that overlap the evidence, documents that contain it (each once, by its best chunk), or the pieces of evidence themselves (neither nDCG nor MAP)',
      ),
    show: z
      .array(z.string())
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Columns of the table, such as [ndcg@10, map], of which rows are compared on the first; null: recall at each k, and MRR',
      ),
  })
  .superRefine(({ k, unit, show }, context) => {
    const names = metricNames(k, unit)
    for (const [index, name] of show?.entries() ?? [])
      if (!names.includes(name))
        context.addIssue({ code: 'custom', path: ['show', index], message: `must be one of ${names.join(', ')}` })
  })

/** Share and rank of the evidence in the context. Tables title a cut-off above the budget as that of the budget. */
export const retrieval = defineScorer({
  name: 'retrieval',
  version: 3,
  summary:
    "Recall, precision, hit rate, all-evidence, MRR, MAP and nDCG (of grades, where there are some) of the context, or, without answers, of the ranking, against the question's evidence.",
  source: 'trec_eval 9.0.8: ties by id descending, scores as 32-bit floats, linear gain',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  readsAnswer: false,
  options,
  columns({ k, unit, show }) {
    const first = show ?? [...k.map((cut) => `recall@${cut}`), 'mrr']
    const hiddenNames = metricNames(k, unit).filter((name) => !first.includes(name))
    return [
      ...Array.from(new Set(first), columnOf),
      ...hiddenNames.map((name) => ({ ...columnOf(name), shown: false as const })),
    ]
  },
  async score(input, _models, { k, unit }) {
    if (input.ranked === false) return { skipped: 'the method does not rank its context' }
    const skipped = whyNoEvidence(input.question)
    if (skipped !== undefined) return { skipped }
    const { evidence = [], notInCorpus = {} } = input.question
    // judged without relevant items: 0, as in trec_eval
    const pieces = evidence.length + Object.keys(notInCorpus).length
    const passages = input.ranking ?? input.context
    if (unit === 'evidence') return { metrics: coverage(passages, pieces, k) }
    const grades = unit === 'chunk' ? chunkGrades(input) : documentGrades(input.question)
    if (pieces > 0 && grades.size === 0) return { skipped: 'no chunk overlaps the evidence' }
    const run = unit === 'chunk' ? chunkRun(passages, input.relevant) : documentRun(passages)
    const gains = trecOrder(run).map(({ id }) => grades.get(id) ?? 0)
    return { metrics: measures(gains, [...grades.values()], k) }
  },
})

/** Why retrieval cannot be compared with a question's evidence; undefined if it can. */
export function whyNoEvidence({
  evidence,
  notRelevant,
  notInCorpus,
}: Pick<Question, 'evidence' | 'notRelevant' | 'notInCorpus'>): string | undefined {
  if (evidence === undefined) return 'the dataset gives no evidence for this question'
  if (evidence.length === 0 && !notRelevant && !notInCorpus) return 'no evidence supports an answer'
  // a share over the remaining pieces would be misleading
  return evidence.some(({ missing }) => missing) ? 'its evidence is not in the documents' : undefined
}

/** The metrics of scores, cut measures at each k. */
const metricNames = (cuts: readonly number[], unit: (typeof units)[number]): readonly string[] => {
  const names = Object.keys(measures([], [], [...new Set(cuts)]))
  return unit === 'evidence' ? names.filter((name) => !/^(ndcg|map)/.test(name)) : names
}

const columnOf = (metric: string) => {
  const label = metric.replace(/^ndcg/, 'nDCG').replace(/^(mrr|map)$/, (name) => name.toUpperCase())
  return label === metric ? { metric } : { metric, label }
}

/** The grade of each relevant chunk, and of each relevant document that the corpus lacks. */
export const chunkGrades = ({
  relevant = [],
  grades,
  question: { notInCorpus = {} },
}: Pick<ScorerInput, 'relevant' | 'grades' | 'question'>): Grades =>
  new Map([
    ...relevant.map((id, place) => [id, grades ? itemAt(grades, place) : 1] as const),
    ...Object.entries(notInCorpus),
  ])

/** The grade of each relevant document, the highest of its pieces of evidence. */
export function documentGrades({ evidence = [], notInCorpus = {} }: Question): Grades {
  const grades = new Map(Object.entries(notInCorpus))
  for (const { documentId, grade = 1 } of evidence) grades.set(documentId, Math.max(grade, grades.get(documentId) ?? 0))
  return grades
}

type Grades = ReadonlyMap<string, number>

function measures(
  gains: readonly number[],
  judgements: readonly number[],
  cuts: readonly number[],
): Readonly<Record<string, number>> {
  const values = cuts.map((k) => ({ k, of: measuresAt(gains, judgements, k) }))
  const atCuts = cutMeasures.flatMap((name) => values.map(({ k, of }) => [`${name}@${k}`, of[name]] as const))
  const { mrr, map } = measuresAt(gains, judgements)
  return { ...Object.fromEntries(atCuts), mrr, map }
}

const cutMeasures = ['recall', 'precision', 'hit', 'ndcg', 'all-evidence'] as const

/** The share of evidence pieces that the first k passages overlap; a passage with a piece is a hit. */
function coverage(
  context: readonly RankedPassage[],
  pieces: number,
  cuts: readonly number[],
): Readonly<Record<string, number>> {
  const passages = trecOrder(context.map((passage, rank) => ({ ...passage, id: ownId(rank) })))
  const gains = passages.map((passage) => (passage.evidence?.length ? 1 : 0))
  const metrics = new Map(Object.entries(measures(gains, [], cuts)))
  for (const k of cuts) {
    const pieceIndices = new Set(passages.slice(0, k).flatMap((passage) => passage.evidence ?? []))
    const share = pieces === 0 ? 0 : pieceIndices.size / pieces
    metrics.set(`recall@${k}`, share).set(`all-evidence@${k}`, Number(share === 1))
  }
  return Object.fromEntries(metricNames(cuts, 'evidence').map((name) => [name, valueOf(metrics, name)]))
}

/** The ranking of units, each with its best score. A passage without a unit takes a rank of its own. */
function runOf(context: readonly RankedPassage[], unitsOf: (passage: RankedPassage) => readonly string[]): Retrieved[] {
  const best = new Map<string, number>()
  context.forEach((passage, rank) => {
    const units = unitsOf(passage)
    for (const id of units.length > 0 ? units : [ownId(rank)])
      best.set(id, Math.max(best.get(id) ?? -Infinity, passage.score))
  })
  return Array.from(best, ([id, score]) => ({ id, score }))
}

/** The ranking of chunks. The ids of passages without one begin with the character 0. */
export function chunkRun(context: readonly RankedPassage[], relevant: readonly string[] = []): Retrieved[] {
  const relevantIds = new Set(relevant)
  return runOf(context, (passage) => chunksOf(passage, relevantIds))
}

/** The ranking of documents, each by its best passage. */
export const documentRun = (context: readonly RankedPassage[]): Retrieved[] => runOf(context, documentsIn)

/** The relevant chunks whose evidence a passage quotes; else its first chunk, unless that is relevant. */
function chunksOf({ relevant = [], derived, from }: RankedPassage, goldIds: ReadonlySet<string>): readonly string[] {
  if (relevant.length > 0) return relevant
  return derived ? [] : from.slice(0, 1).filter((id) => !goldIds.has(id))
}

/** An id of no chunk or document; in ties the first passage stays first. */
const ownId = (rank: number): string => `\0${String(Number.MAX_SAFE_INTEGER - rank)}`

/**
 * Measures of the first k of a ranking as trec_eval defines them, 0 to 1; 0 when nothing is relevant. `gains`:
 * relevance in rank order, relevant above 0; `judgements`: the relevance of everything judged for the question.
 * Precision is divided by k even when fewer are retrieved; the best order of nDCG is cut at k too.
 */
export function measuresAt(gains: readonly number[], judgements: readonly number[], k = Infinity) {
  const first = gains.slice(0, k)
  const relevant = judgements.filter((gain) => gain > 0).length
  const ranks = first.flatMap((gain, at) => (gain > 0 ? [at + 1] : []))
  const precisions = ranks.map((rank, at) => (at + 1) / rank)
  const ideal = discountedGain(judgements.toSorted((a, b) => b - a).slice(0, k))
  const recall = relevant === 0 ? 0 : ranks.length / relevant
  return {
    hits: ranks.length,
    recall,
    precision: k === 0 ? 0 : ranks.length / k,
    hit: ranks.length > 0 ? 1 : 0,
    ndcg: ideal === 0 ? 0 : discountedGain(first) / ideal,
    'all-evidence': Number(recall === 1),
    mrr: ranks[0] === undefined ? 0 : 1 / ranks[0],
    map: relevant === 0 ? 0 : precisions.reduce((sum, precision) => sum + precision, 0) / relevant,
  }
}

const discountedGain = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, rank) => sum + Math.max(gain, 0) / Math.log2(rank + 2), 0)

/** The documents that a passage quotes; a summary of several documents has none. */
export const documentsIn = ({ documents = [], derived }: RankedPassage): readonly string[] =>
  derived && documents.length > 1 ? [] : documents
