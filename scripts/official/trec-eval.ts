/** One line of a TREC run file. */
export interface RunLine {
  readonly id: string
  readonly score: number
}

/** The measures of trec_eval 9.0.8 for one question by our names; what is relevant is judged 1, everything else 0. */
export function trecEval(
  run: readonly RunLine[],
  relevant: ReadonlySet<string>,
  cuts: readonly number[],
): Readonly<Record<string, number>> {
  const gains = order(run).map(({ id }) => relevant.has(id))
  const measures: Record<string, number> = { mrr: 0, map: 0 }
  let found = 0
  gains.forEach((gain, rank) => {
    if (!gain) return
    found++
    if (found === 1) measures['mrr'] = 1 / (rank + 1)
    measures['map']! += found / (rank + 1) / relevant.size
  })
  for (const k of cuts) {
    const first = gains.slice(0, k)
    const hits = first.filter(Boolean).length
    measures[`recall@${k}`] = hits / relevant.size
    measures[`precision@${k}`] = hits / k
    measures[`hit@${k}`] = hits > 0 ? 1 : 0
    const ideal = Array.from({ length: Math.min(k, relevant.size) }, () => true)
    measures[`ndcg@${k}`] = discounted(first) / discounted(ideal)
  }
  return measures
}

/** form_res_rels.c: scores descending as 32-bit floats, ties by strcmp on the ids, descending. */
export const order = <L extends RunLine>(run: readonly L[]): L[] =>
  [...run].sort((a, b) => {
    const [one, other] = Float32Array.of(a.score, b.score) as unknown as [number, number]
    return one === other ? Buffer.from(b.id).compare(Buffer.from(a.id)) : other - one
  })

function discounted(gains: readonly boolean[]): number {
  let sum = 0
  for (const [rank, gain] of gains.entries()) if (gain) sum += Math.LN2 / Math.log(rank + 2)
  return sum
}
