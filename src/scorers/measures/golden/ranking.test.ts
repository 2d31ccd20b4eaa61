import { fBeta } from '../answers/token-f1.ts'
import { measuresAt } from '../../retrieval.ts'
import { trecOrder } from '../../../math/trec-order.ts'
import { attempt, notOurs, pythonRound, replayGolden } from '../../../test-support/golden.ts'

/** Rankings as three libraries measure them: they order ties differently, and divide by other numbers. */
replayGolden({
  'ir.evaluate': (input: Ranking) => ({
    trec_eval: attempt(() => ofQueries(input, trecEval)),
    ranx: attempt(() => ofQueries(input, ranx)),
    beir_custom: attempt(() => beir(input)),
  }),
  'ir.all_evidence': ({ judgements, run, k_values }: OfOneQuery) => {
    const order = trecOrder(Object.entries(run).map(([id, score]) => ({ id, score })))
    const measures = measuresOf(
      order.map(({ id }) => id),
      judgements,
    )
    return at(k_values, 'all_evidence_', (k) => measures(k)['all-evidence'])
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

const measuresOf = (order: readonly string[], judgements: Judgements) => (k: number) =>
  measuresAt(
    order.map((id) => judgements[id] ?? 0),
    Object.values(judgements),
    k,
  )

const trecEval: OfQuery = (judgements, run, cuts) => {
  const order = trecOrder(Object.entries(run).map(([id, score]) => ({ id, score }))).map(({ id }) => id)
  const measures = measuresOf(order, judgements)
  const { hits, map, mrr, ndcg } = measures(Infinity)
  const relevant = Object.values(judgements).filter((gain) => gain > 0).length
  return {
    num_ret: order.length,
    num_rel: relevant,
    num_rel_ret: hits,
    map,
    Rprec: measures(relevant).precision,
    recip_rank: mrr,
    ndcg,
    ...at(cuts, 'P_', (k) => measures(k).precision),
    ...at(cuts, 'recall_', (k) => measures(k).recall),
    ...at(cuts, 'ndcg_cut_', (k) => measures(k).ndcg),
    ...at(cuts, 'map_cut_', (k) => measures(k).map),
    ...at(cuts, 'success_', (k) => measures(k).hit),
  }
}

/** ranx sorts 64-bit scores and leaves the order of ties open. */
const ranx: OfQuery = (judgements, run, cuts) => {
  const order = byScore(run)
  const measures = measuresOf(order, judgements)
  const burges = Object.entries(judgements).map(([id, gain]) => [id, 2 ** Math.max(gain, 0) - 1] as const)
  const burgesMeasures = measuresOf(order, Object.fromEntries(burges))
  return {
    ...at(cuts, 'hit_rate@', (k) => measures(k).hit),
    ...at(cuts, 'precision@', (k) => measures(k).precision),
    ...at(cuts, 'recall@', (k) => measures(k).recall),
    ...at(cuts, 'f1@', (k) => fBeta(measures(k).precision, measures(k).recall)),
    ...at(cuts, 'mrr@', (k) => measures(k).mrr),
    ...at(cuts, 'map@', (k) => measures(k).map),
    ...at(cuts, 'ndcg@', (k) => measures(k).ndcg),
    ...at(cuts, 'ndcg_burges@', (k) => burgesMeasures(k).ndcg),
    'r-precision': measures(Object.values(judgements).filter((gain) => gain > 0).length).precision,
  }
}

/** Means over all judged queries, a missing one counting 0, to five digits; ties in the order they were given. */
function beir({ qrels, run, k_values }: Ranking) {
  const queries = Object.entries(run).map(([query, results]) => {
    const judgements = qrels[query]
    if (!judgements) throw new RangeError(`query ${query} is not judged`)
    return measuresOf(byScore(results), judgements)
  })
  const meanAt = (name: string, measure: 'mrr' | 'hit') =>
    at(k_values, name, (k) =>
      pythonRound(queries.reduce((sum, measures) => sum + measures(k)[measure], 0) / Object.keys(qrels).length, 5),
    )
  const others = ['R_cap@', 'Hole@'].flatMap((name) => k_values.map((k) => [`${name}${k}`, notOurs]))
  return { ...meanAt('MRR@', 'mrr'), ...meanAt('Accuracy@', 'hit'), ...(Object.fromEntries(others) as object) }
}

const byScore = (run: Run): string[] =>
  Object.entries(run)
    .sort(([, a], [, b]) => b - a)
    .map(([id]) => id)

const at = (cuts: readonly number[], name: string, measure: (k: number) => number): Measures =>
  Object.fromEntries(cuts.map((k) => [`${name}${k}`, measure(k)]))
