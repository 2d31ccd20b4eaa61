/** What a map call says: a point and how much it helps, from 0 to 100. */
export interface Point {
  readonly answer: string
  readonly score: number
}

/** A point with the batch that it came from. */
export interface ScoredPoint extends Point {
  readonly batch: number
}

/** What stands for a reply without a point. */
export const emptyPoints: readonly Point[] = [{ answer: '', score: 0 }]

/**
 * The points of a reply (section 3): no list, or an empty one, is one empty point of score 0; items without text or score are left out;
 * scores are cut to whole numbers, and one that is no number loses all points.
 */
export function pointsOf(reply: unknown): readonly Point[] {
  const { points } = Object(reply) as { readonly points?: unknown }
  if (!Array.isArray(points) || points.length === 0) return emptyPoints
  const found: Point[] = []
  for (const item of points as readonly unknown[]) {
    const { description, score } = Object(item) as { readonly description?: unknown; readonly score?: unknown }
    if (description === undefined || score === undefined) continue
    const value = typeof score === 'string' && score.trim() === '' ? NaN : Number(score)
    if (!Number.isFinite(value)) return []
    found.push({
      answer: typeof description === 'string' ? description : JSON.stringify(description),
      score: Math.trunc(value),
    })
  }
  return found
}

/** The points of all batches that score above 0, best first, for as long as they fit; the first that does not fit ends them. */
export function reducePoints(
  batches: readonly (readonly Point[])[],
  tokens: number,
  count: (text: string) => number,
): { readonly kept: readonly ScoredPoint[]; readonly text: string; readonly tokens: number } {
  const ranked = batches
    .flatMap((points, batch) => points.map((point) => ({ ...point, batch })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const texts: string[] = []
  let spent = 0
  for (const point of ranked) {
    const text = pointText(point)
    const cost = count(text)
    if (spent + cost > tokens) break
    spent += cost
    texts.push(text)
  }
  const text = texts.join('\n\n')
  return { kept: ranked.slice(0, texts.length), text, tokens: count(text) }
}

/** A point as the reduce step reads it. */
export const pointText = ({ batch, score, answer }: ScoredPoint): string =>
  `----Analyst ${batch + 1}----\nImportance Score: ${score}\n${answer}`
