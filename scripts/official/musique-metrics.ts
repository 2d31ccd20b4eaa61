/** Exact match and F1 of supporting paragraphs (StonyBrookNLP/musique, metrics/support.py): 1 where neither side names one. */
export function supportScores(
  predicted: ReadonlySet<unknown>,
  gold: ReadonlySet<unknown>,
): { readonly supportEM: number; readonly supportF1: number } {
  const right = [...predicted].filter((paragraph) => gold.has(paragraph)).length
  const wrong = predicted.size - right
  const missed = gold.size - right
  const precision = right + wrong > 0 ? right / (right + wrong) : 0
  const recall = right + missed > 0 ? right / (right + missed) : 0
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  const exact = wrong + missed === 0
  return { supportEM: exact ? 1 : 0, supportF1: exact ? 1 : f1 }
}
