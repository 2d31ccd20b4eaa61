import { fBeta } from '../answers/token-f1.ts'
import {
  allAt,
  averagePrecisionAt,
  hitAt,
  hits,
  ndcgAt,
  precisionAt,
  recallAt,
  reciprocalRank,
} from '../../retrieval.ts'
import { trecOrder } from '../../../math/trec-order.ts'
import { replayGolden, attempt, pythonRound } from '../../../test-support/golden.ts'

/** Rankings as three libraries measure them: they order ties differently, and divide by other numbers. */
replayGolden({
  'ir.evaluate': (input: Ranking) => ({
    trec_eval: attempt(() => ofQueries(input, trecEval)),
    ranx: attempt(() => ofQueries(input, ranx)),
    beir_custom: attempt(() => beir(input)),
  }),
  'ir.all_evidence': ({ judgements, run, k_values }: OfOneQuery) => {
    const gains = trecOrder(Object.entries(run).map(([id, score]) => ({ id, score }))).map(
      ({ id }) => judgements[id] ?? 0,
    )
    return at(k_values, 'all_evidence_', (k) => allAt(gains, Object.values(judgements), k))
  },
})

type Judgements = Readonly<Record<string, number>>
type Run = Readonly<Record<string, number>>

interface OfOneQuery {
  readonly judgements: Judgements
  readonly run: Run
  readonly k_values: readonly number[]
}

interface Ranking {
  readonly qrels: Readonly<Record<string, Judgements>>
  readonly run: Readonly<Record<string, Run>>
  readonly k_values: readonly number[]
}

type Measures = Readonly<Record<string, number>>
type OfQuery = (judgements: Judgements, run: Run, cuts: readonly number[]) => Measures

/** Every query that is judged and was run; a query without results is absent. */
const ofQueries = ({ qrels, run, k_values }: Ranking, measure: OfQuery) =>
  Object.fromEntries(
    Object.entries(run).flatMap(([query, results]) => {
      const judgements = qrels[query]
      return judgements ? [[query, measure(judgements, results, k_values)]] : []
    }),
  )

const trecEval: OfQuery = (judgements, run, cuts) => {
  const order = trecOrder(Object.entries(run).map(([id, score]) => ({ id, score }))).map(({ id }) => id)
  const gains = order.map((id) => judgements[id] ?? 0)
  const judged = Object.values(judgements)
  return {
    num_ret: gains.length,
    num_rel: hits(judged, Infinity),
    num_rel_ret: hits(gains, Infinity),
    map: averagePrecisionAt(gains, judged, Infinity),
    Rprec: precisionAt(gains, hits(judged, Infinity)),
    recip_rank: reciprocalRank(gains),
    ndcg: ndcgAt(gains, judged, Infinity),
    ...at(cuts, 'P_', (k) => precisionAt(gains, k)),
    ...at(cuts, 'recall_', (k) => recallAt(gains, judged, k)),
    ...at(cuts, 'ndcg_cut_', (k) => ndcgAt(gains, judged, k)),
    ...at(cuts, 'map_cut_', (k) => averagePrecisionAt(gains, judged, k)),
    ...at(cuts, 'success_', (k) => hitAt(gains, k)),
  }
}

/** ranx sorts 64-bit scores and leaves the order of ties open. */
const ranx: OfQuery = (judgements, run, cuts) => {
  const gains = byScore(run).map((id) => judgements[id] ?? 0)
  const judged = Object.values(judgements)
  const burges = (gain: number) => 2 ** Math.max(gain, 0) - 1
  return {
    ...at(cuts, 'hit_rate@', (k) => hitAt(gains, k)),
    ...at(cuts, 'precision@', (k) => precisionAt(gains, k)),
    ...at(cuts, 'recall@', (k) => recallAt(gains, judged, k)),
    ...at(cuts, 'f1@', (k) => fBeta(precisionAt(gains, k), recallAt(gains, judged, k))),
    ...at(cuts, 'mrr@', (k) => reciprocalRank(gains, k)),
    ...at(cuts, 'map@', (k) => averagePrecisionAt(gains, judged, k)),
    ...at(cuts, 'ndcg@', (k) => ndcgAt(gains, judged, k)),
    ...at(cuts, 'ndcg_burges@', (k) => ndcgAt(gains.map(burges), judged.map(burges), k)),
    'r-precision': precisionAt(gains, hits(judged, Infinity)),
  }
}

/** Means over all judged queries, a missing one counting 0, to five digits; ties in the order they were given. */
function beir({ qrels, run, k_values }: Ranking) {
  const annotated = new Set(Object.values(qrels).flatMap((judgements) => Object.keys(judgements)))
  const queries = Object.entries(run).map(([query, results]) => {
    const judgements = qrels[query]
    if (!judgements) throw new RangeError(`query ${query} is not judged`)
    const order = byScore(results)
    return {
      gains: order.map((id) => judgements[id] ?? 0),
      relevant: hits(Object.values(judgements), Infinity),
      holes: order.map((id) => (annotated.has(id) ? 0 : 1)),
    }
  })
  type Query = (typeof queries)[number]
  const meanAt = (name: string, measure: (query: Query, k: number) => number) =>
    at(k_values, name, (k) =>
      pythonRound(queries.reduce((sum, query) => sum + measure(query, k), 0) / Object.keys(qrels).length, 5),
    )
  return {
    ...meanAt('MRR@', ({ gains }, k) => reciprocalRank(gains, k)),
    ...meanAt('R_cap@', ({ gains, relevant }, k) => cappedRecall(gains, relevant, k)),
    ...meanAt('Accuracy@', ({ gains }, k) => hitAt(gains, k)),
    ...meanAt('Hole@', ({ holes }, k) => hits(holes, k) / k),
  }
}

function cappedRecall(gains: readonly number[], relevant: number, k: number): number {
  if (relevant === 0) throw new RangeError('capped recall needs a relevant document')
  return hits(gains, k) / Math.min(relevant, k)
}

const byScore = (run: Run): string[] =>
  Object.entries(run)
    .sort(([, a], [, b]) => b - a)
    .map(([id]) => id)

const at = (cuts: readonly number[], name: string, measure: (k: number) => number): Measures =>
  Object.fromEntries(cuts.map((k) => [`${name}${k}`, measure(k)]))
