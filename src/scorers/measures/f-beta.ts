/** Weighted harmonic mean of precision and recall, (1+β²)PR / (β²P+R); 0 when both are 0. A β above 1 favours recall. */
export function fBeta(precision: number, recall: number, beta = 1): number {
  if (precision === 0 && recall === 0) return 0
  return ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall)
}
