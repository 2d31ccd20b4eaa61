import { z } from 'zod'
import { rankingDepth } from '../../basics/metrics.ts'
import { addFields } from '../../basics/collections.ts'
import { tasksOf, defineMethod, filesOf } from '../../define.ts'
import { fuse } from '../../math/fuse.ts'
import type { Index, Method, Passage, Trace, CorpusFacts, Estimate, ExpectedContext, MethodCosts } from '../../types.ts'
import { unknownName } from '../../text/names.ts'
import { whatIsWrong } from '../../text/shape-faults.ts'

const optionsOf = (menu: readonly Method[]) =>
  z
    .strictObject({
      of: z
        .array(partSchema(menu))
        .min(2)
        .prefault(['bm25', 'vector'])
        .describe(
          'The methods whose rankings are made one: names, or entries with options ({ use: bm25, k1: 1.2 }); any that searches, and is not a program or a file of your own',
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

/**
 * Several methods of the menu whose rankings are made one; by default BM25 and dense retrieval by reciprocal ranks. A passage is the same in two
 * rankings where it has the same text of the same chunks; what a method says of its index (warnings, statistics) is said of the hybrid.
 */
export const hybridOf = (menu: readonly Method[]) =>
  defineMethod({
    name: 'hybrid',
    summary:
      'Makes one ranking of those of several methods, by their ranks or their scores; bm25 and vector where none are named.',
    options: optionsOf(menu),
    tasks: ({ of }) => [...new Set(partsOf(of, menu).flatMap(({ method, options }) => tasksOf(method, options)))],
    embedsChunks: ({ of }) => partsOf(of, menu).some(({ method, options }) => method.embedsChunks?.(options) ?? false),
    costs: (facts, { of, depth }) => hybridCosts(facts, partsOf(of, menu), depth),
    async index(chunks, models, { of, weights, depth, ...how }) {
      const parts = partsOf(of, menu)
      const names = partNames(parts)
      const indexes: Index[] = []
      // one after the other, so that each draws the same random numbers each time
      for (const { method, options } of parts) indexes.push(await method.index(chunks, models, options))
      const fusion = { ...how, weights: weights ?? parts.map(() => 1) }
      return {
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
              Object.entries(index.stats?.() ?? {}).map(
                ([key, value]) => [`${names[at] ?? ''}: ${key}`, value] as const,
              ),
            ),
          ),
        warnings: () => addFields(...indexes.map((index) => index.warnings?.() ?? {})),
      }
    },
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

/** What all parts are expected to ask, each for so many passages; a context as large as one of theirs, or as all together within the budget. */
export function hybridCosts(facts: CorpusFacts, parts: readonly Part[], depth: number): MethodCosts | 'unknown' {
  const { budget } = facts
  const deep = { passages: Math.max(depth, budget.passages), tokens: Infinity }
  const known = (facts: CorpusFacts): readonly MethodCosts[] =>
    parts.map(({ method, options }) => method.costs(facts, options)).filter((costs) => costs !== 'unknown')
  const [asked, alone] = [known({ ...facts, budget: deep }), known(facts)]
  if (alone.length < parts.length) return 'unknown'
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

/** A method that a hybrid asks, by name, and its own options beside it. */
export type PlannedPart = Readonly<Record<string, unknown>> & { readonly use: string }

/** A method of the menu with its options. */
export interface Part {
  readonly method: Method
  readonly options: unknown
}

/** One of `of`: a name, or a mapping with `use` and options. What cannot be combined is refused in one line. */
export const partSchema = (menu: readonly Method[]) =>
  z.union([z.string().min(1), z.looseObject({ use: z.string().min(1) })]).transform((given, context): PlannedPart => {
    const { use, ...written } = typeof given === 'string' ? { use: given } : given
    const refuse = (message: string, path: PropertyKey[]): never => {
      context.issues.push({ code: 'custom', message, path, input: given })
      return z.NEVER
    }
    const where = typeof given === 'string' ? [] : ['use']
    const refusal = refusalOf(use, menu)
    const method = menu.find(({ name }) => name === use)
    if (refusal !== undefined || !method) return refuse(refusal ?? '', where)
    const read = method.options.safeParse(written)
    if (!read.success) {
      for (const issue of read.error.issues) {
        const known = Object.keys('shape' in method.options ? (method.options.shape as object) : {})
        if (issue.code === 'unrecognized_keys')
          refuse(unknownName('option', issue.keys[0] ?? '', known), [issue.keys[0] ?? ''])
        else refuse(whatIsWrong(issue, written), issue.path)
      }
      return z.NEVER
    }
    const [file] = filesOf(method.options, read.data)
    if (file) return refuse(`names a file, which a method within a hybrid cannot`, [file[0]])
    if (method.answers?.(read.data))
      return refuse(`"${use}" answers questions itself with these options: it has no ranking to combine`, where)
    return { use, ...(read.data as object) }
  })

/** The methods and options that parsed entries stand for. */
export const partsOf = (planned: readonly PlannedPart[], menu: readonly Method[]): readonly Part[] =>
  planned.flatMap(({ use, ...options }) => {
    const method = menu.find(({ name }) => name === use)
    return method ? [{ method, options }] : []
  })

/** Names for parts, which tell two of one method apart: `bm25`, `bm25 2`. */
export const partNames = (parts: readonly Part[]): readonly string[] =>
  parts.map(({ method: { name } }, index) => {
    const before = parts.slice(0, index).filter(({ method }) => method.name === name).length
    return before === 0 ? name : `${name} ${before + 1}`
  })

/** Why a method cannot be one of those that a hybrid combines. */
function refusalOf(use: string, menu: readonly Method[]): string | undefined {
  const able = menu.filter((method) => searches(method) && !method.program).map(({ name }) => name)
  if (able.includes(use)) return undefined
  const instead = `combine any of ${able.join(', ')}`
  if (use === 'hybrid') return `a hybrid cannot be one of the methods that a hybrid combines; ${instead}`
  if (/\.(ts|js|mjs)$/.test(use)) return `a method in a file of your own cannot be combined; ${instead}`
  const known = menu.find(({ name }) => name === use)
  if (!known) return unknownName('method', use, able)
  return known.program
    ? `"${use}" runs a program of your own, which cannot be combined; ${instead}`
    : `"${use}" is a row for orientation, which does not search; ${instead}`
}

const searches = ({ context, ranks }: Method): boolean => context === undefined && ranks !== false
