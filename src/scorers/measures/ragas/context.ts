/** Share of an answer's statements that its context supports; NaN without statements (ragas v0.4.0, metrics/_faithfulness.py). */
export const faithfulness = (supported: readonly boolean[]): number => shareOf(supported)

/** Share of the reference's sentences that the context accounts for; NaN without sentences (metrics/_context_recall.py). */
export const contextRecall = (attributed: readonly boolean[]): number => shareOf(attributed)

/** Mean of the precision at the rank of every useful passage; a little below 1 at best, 0 when none is useful (metrics/_context_precision.py). */
export function contextPrecision(useful: readonly boolean[]): number {
  let found = 0
  let sum = 0
  useful.forEach((one, rank) => {
    if (one) sum += ++found / (rank + 1)
  })
  return sum / (found + 1e-10)
}

const shareOf = (verdicts: readonly boolean[]): number => verdicts.filter(Boolean).length / verdicts.length
