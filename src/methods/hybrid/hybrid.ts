import { z } from 'zod'
import { rankingDepth } from '../../basics/metrics.ts'
import { addFields } from '../../basics/collections.ts'
import { tasksOf, defineMethod } from '../../define.ts'
import { fuse } from '../../math/fuse.ts'
import type { CorpusFacts, Estimate, ExpectedContext, Method, MethodCosts, Part, Passage, Trace } from '../../types.ts'
import { askedMethod, askedTogether, indexesOf } from '../shared/asked-methods.ts'

const options = z
  .strictObject({
    of: z
      .array(askedMethod)
      .min(2)
      .default(['bm25', 'vector'])
      .describe(
        'The methods whose rankings are made one: names, files of your own, or entries with options ({ use: bm25, k1: 1.2 }); any that searches',
      ),
    fusion: z
      .enum(['rrf', 'score'])
      .default('rrf')
      .describe(
        'What is added: rrf: weight / (k + rank) (Cormack, Clarke and Büttcher 2009), score: weight · normalised score',
      ),
    k: z
      .number()
      .min(0)
      .default(60)
      .describe(
        'Of rrf: added to every rank; the smaller, the more the first ranks count (default: 60, Cormack et al.)',
      ),
    weights: z
      .array(z.number().min(0))
      .nullable()
      .default(null)
      .describe('What each of the methods counts, in their order; null: 1 each'),
    normalise: z
      .enum(['minmax', 'zscore', 'none'])
      .default('minmax')
      .describe(
        'Of score: minmax: each ranking’s scores from 0 to 1, zscore: with mean 0 and variance 1, none: as they are; a passage that a ranking lacks has the lowest score of it, with none 0 (our reading)',
      ),
    depth: z
      .int()
      .min(1)
      .default(100)
      .describe('How many passages of each ranking are read, at least as many as the budget allows (our reading)'),
  })
  .superRefine(({ of, weights }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['weights'], message })
    if (weights && weights.length !== of.length)
      refuse(`must hold a number for each of the ${of.length} methods of "of"`)
    else if (weights?.every((weight) => weight === 0)) refuse('must hold a number above 0')
  })

type HybridOptions = z.infer<typeof options>

/** What a hybrid of these methods does. */
const over = (parts: readonly Part[]): Pick<Method<HybridOptions>, 'tasks' | 'embedsChunks' | 'costs' | 'index'> => ({
  tasks: () => [...new Set(parts.flatMap(({ method, options }) => tasksOf(method, options)))],
  embedsChunks: () => parts.some(({ method, options }) => method.embedsChunks?.(options) ?? false),
  costs: (facts, { depth }) => hybridCosts(facts, parts, depth),
  async index(chunks, models, { of: _of, weights, depth, ...how }) {
    const names = partNames(parts)
    const indexes = await indexesOf(parts, chunks, models)
    const fusion = { ...how, weights: weights ?? parts.map(() => 1) }
    return {
      ...askedTogether(indexes),
      // the rankings of the parts are then read as deep, however few passages are asked for
      nested: depth >= rankingDepth,
      async retrieve(query, budget, models) {
        const rankings: (readonly Passage[])[] = []
        for (const index of indexes) {
          const { limits } = index
          const passages = Math.min(Math.max(depth, budget.passages), limits?.passages ?? Infinity)
          const found = await index.retrieve(query, { passages, tokens: limits?.tokens ?? Infinity }, models)
          rankings.push(found.slice(0, passages))
        }
        return fused(rankings, names, fusion).slice(0, budget.passages)
      },
      stats: () =>
        Object.fromEntries(
          indexes.flatMap((index, at) =>
            Object.entries(index.stats?.() ?? {}).map(([key, value]) => [`${names[at] ?? ''}: ${key}`, value] as const),
          ),
        ),
      warnings: () => addFields(...indexes.map((index) => index.warnings?.() ?? {})),
    }
  },
})

/**
 * Several methods whose rankings are made one; by default BM25 and dense retrieval by reciprocal ranks. A passage is
 * the same in two rankings where it has the same text of the same chunks; what a method says of its index (warnings,
 * statistics) is said of the hybrid.
 */
export const hybrid = defineMethod({
  name: 'hybrid',
  summary:
    'Makes one ranking of those of several methods, by their ranks or their scores; bm25 and vector where none are named.',
  options,
  ...over([]),
  over,
})

/** The passages of all rankings, best first; each says where it stood in each. */
function fused(
  rankings: readonly (readonly Passage[])[],
  names: readonly string[],
  fusion: Parameters<typeof fuse>[1],
): readonly Passage[] {
  const places = new Map<string, { passage: Passage; why: Record<string, Trace[string]> }>()
  for (const [at, ranking] of rankings.entries())
    for (const [rank, passage] of ranking.entries()) {
      const place = places.get(keyOf(passage)) ?? { passage, why: {} }
      const name = names[at] ?? ''
      if (!(`rank in ${name}` in place.why))
        Object.assign(place.why, { [`rank in ${name}`]: rank + 1, [`score in ${name}`]: passage.score })
      places.set(keyOf(passage), place)
    }
  const fallbacks = rankings.flatMap(([first], at) => {
    const said = first?.why?.['fallback']
    return typeof said === 'string' ? [`${names[at] ?? ''}: ${said}`] : []
  })
  const ranked = fuse(
    rankings.map((ranking) => ranking.map((passage) => ({ key: keyOf(passage), score: passage.score }))),
    fusion,
  )
  return ranked.flatMap(({ key, score }, rank) => {
    const found = places.get(key)
    if (!found) return []
    const { order: _order, why: _why, ...passage } = found.passage
    const fallback = rank === 0 && fallbacks.length > 0 && { fallback: fallbacks.join('; ') }
    return [{ ...passage, score, why: { ...found.why, ...fallback } }]
  })
}

const keyOf = ({ kind, text, from }: Passage): string => JSON.stringify([kind, text, from])

/** What all parts are expected to ask; a context as large as one of theirs, or as all together within the budget. */
export function hybridCosts(facts: CorpusFacts, parts: readonly Part[], depth: number): MethodCosts | 'unknown' {
  const { budget } = facts
  const deep = { passages: Math.max(depth, budget.passages), tokens: Infinity }
  const known = (facts: CorpusFacts): readonly MethodCosts[] =>
    parts.map(({ method, options }) => method.costs(facts, options)).filter((costs) => costs !== 'unknown')
  const [asked, alone] = [known({ ...facts, budget: deep }), known(facts)]
  if (parts.length === 0 || alone.length < parts.length) return 'unknown'
  return {
    index: asked.flatMap(({ index }) => index),
    drawsAtIndex: asked.some(({ drawsAtIndex }) => drawsAtIndex),
    retrieve: asked.flatMap(({ retrieve }) => retrieve),
    context(query) {
      const contexts = alone.map(({ context }) => context(query))
      const between = (of: keyof ExpectedContext): Estimate => {
        const each = contexts.map((context) => context[of])
        const high = each.reduce((sum, one) => sum + one.high, 0)
        return {
          low: Math.min(...each.map(({ low }) => low)),
          expected: Math.max(...each.map(({ expected }) => expected)),
          high: Math.min(high, Math.max(budget[of], ...each.map((one) => one.high))),
        }
      }
      return { passages: between('passages'), tokens: between('tokens') }
    },
  }
}

/** Names for parts, which tell two of one method apart: `bm25`, `bm25 2`. */
export const partNames = (parts: readonly Part[]): readonly string[] =>
  parts.map(({ method: { name } }, index) => {
    const before = parts.slice(0, index).filter(({ method }) => method.name === name).length
    return before === 0 ? name : `${name} ${before + 1}`
  })
