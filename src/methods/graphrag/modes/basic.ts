import { topK } from '../../../math/vectors.ts'
import type { Passage } from '../../../types.ts'
import { queryVector } from '../../shared/embed.ts'
import type { Asked } from './asked.ts'
import { basicContext } from '../query/basic-context.ts'
import { fittingRows } from '../query/section.ts'
import { withFallback } from './fallback.ts'
import { unitPassage } from './unit-passage.ts'

/**
 * The text units nearest to the question, read in table order (section 3), whole ones that contextTokens hold together. The release cuts them
 * in that order, so that the nearest may fall out: with `compat`; otherwise the nearest are kept. `fallback` says why another mode came to this.
 */
export async function basic(asked: Asked, fallback?: string): Promise<readonly Passage[]> {
  const { text, budget, models, index, options, count } = asked
  const { textUnits, textUnitVectors } = index
  if (textUnits.length === 0) return []
  const near = topK(await queryVector(text, models), textUnitVectors, options.basicTopK)
  const similarity = new Map(near.map(({ index: id, score }) => [id, score]))
  const { items } = options.compat
    ? basicContext(textUnits, new Set(similarity.keys()), Math.min(options.contextTokens, budget.tokens), count)
    : fittingRows(
        '',
        near.flatMap(({ index: id }) => textUnits[id] ?? []),
        (unit) => unit.text,
        options.contextTokens,
        count,
      )
  const passages = items
    .flatMap((unit, place) =>
      unitPassage(index, unit, {
        score: options.compat ? -place : (similarity.get(unit.id) ?? 0),
        order: unit.id,
        why: { textUnit: unit.id, similarity: similarity.get(unit.id) ?? 0 },
      }),
    )
    .slice(0, budget.passages)
  return withFallback(passages, fallback && `basic: ${fallback}`)
}
