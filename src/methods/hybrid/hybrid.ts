import { z } from 'zod'
import { itemAt } from '../../basics/collections.ts'
import type { Part, Passage } from '../../types.ts'
import { fusePassages, rankConstant } from '../shared/fuse-passages.ts'
import { defineComposite, methodReference, rankingOf } from '../shared/ranking-method.ts'
import { choice } from '../shared/options.ts'

const options = z
  .strictObject({
    of: z
      .array(methodReference)
      .min(2)
      .default(['bm25', 'vector'])
      .describe(
        'The methods whose rankings are made one: names, files of your own, or entries with options ({ use: bm25, k1: 1.2 }); any that searches',
      ),
    fusion: choice(
      ['rrf', 'score'],
      'rrf: weight / (60 + rank) (Cormack, Clarke and Büttcher 2009); score: weight · score, each ranking’s scores from 0 to 1 (our reading)',
    ),
    weights: z
      .array(z.number().min(0))
      .nullable()
      .default(null)
      .describe('What each of the methods counts, in their order; null: 1 each'),
  })
  .superRefine(({ of, weights }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['weights'], message })
    if (weights && weights.length !== of.length)
      refuse(`must hold a number for each of the ${of.length} methods of "of"`)
    else if (weights?.every((weight) => weight === 0)) refuse('must hold a number above 0')
  })

/** Minimum length of the fused rankings; more if the budget has more passages (our reading). */
const depth = 100

/**
 * Fuses the rankings of several methods; by default BM25 and dense retrieval by reciprocal ranks. Warnings are summed;
 * statistics have the name of their method as a prefix.
 */
export const hybrid = defineComposite({
  name: 'hybrid',
  summary:
    'Makes one ranking of those of several methods, by their ranks or their scores; bm25 and vector where none are named.',
  options,
  async index(open, chunks, _models, { fusion, weights }, parts) {
    const names = partNames(parts)
    const indexes = await open(chunks)
    const how = { fusion, k: rankConstant, weights: weights ?? [] }
    return {
      nested: true,
      async retrieve(query, budget, models) {
        const rankings: (readonly Passage[])[] = []
        for (const index of indexes) {
          rankings.push(await rankingOf(index, query, Math.max(depth, budget.passages), models))
        }
        return fusePassages(rankings, names, how).slice(0, budget.passages)
      },
      stats() {
        const entries = indexes.flatMap((index, at) => {
          const name = itemAt(names, at)
          const partStats = Object.entries(index.stats?.() ?? {})
          return partStats.map(([key, value]) => [`${name}: ${key}`, value] as const)
        })
        return Object.fromEntries(entries)
      },
    }
  },
})

/** Distinct names of the parts: `bm25`, `bm25 2`. */
const partNames = (parts: readonly Part[]): readonly string[] =>
  parts.map(({ method: { name } }, index) => {
    const before = parts.slice(0, index).filter(({ method }) => method.name === name).length
    return before === 0 ? name : `${name} ${before + 1}`
  })
