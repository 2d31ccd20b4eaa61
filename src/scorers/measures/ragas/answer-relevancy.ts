/** What a judge would have asked, given the answer alone, and whether the answer avoids committing itself. An empty text has no embedding. */
export interface GeneratedQuestion {
  readonly text: string
  readonly noncommittal: boolean
  readonly embedding: ArrayLike<number>
}

/**
 * Mean cosine between the question and those generated from its answer; 0 when all of them find the answer noncommittal,
 * NaN when all are empty (ragas v0.4.0, metrics/_answer_relevance.py; v0.2.15 took 0 when any did). An empty one among others counts as
 * a cosine of 0 (our reading: RAGAS embeds nothing).
 */
export function answerRelevancy(question: ArrayLike<number>, generated: readonly GeneratedQuestion[]): number {
  if (generated.every(({ text }) => text === '')) return NaN
  const similarities = generated.map(({ text, embedding }) => (text === '' ? 0 : cosine(question, embedding)))
  const mean = similarities.reduce((sum, one) => sum + one, 0) / similarities.length
  return generated.every(({ noncommittal }) => noncommittal) ? 0 * mean : mean
}

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
