import { z } from 'zod'
import type {
  Chunk,
  CorpusFacts,
  Estimate,
  ExpectedContext,
  Index,
  MethodCosts,
  Models,
  Part,
  Passage,
  Query,
} from '../../types.ts'
import { withoutExcluded } from './excluded-documents.ts'

/** A method that another one asks, as a config writes it: its name, its file, or a mapping with `use` and options. */
export const askedMethod = z.union([z.string().min(1), z.looseObject({ use: z.string().min(1) })])

/** The indexes of methods over the same chunks, made in turn, so that each draws the same random numbers. */
export async function indexesOf(
  parts: readonly Part[],
  chunks: readonly Chunk[],
  models: Models,
): Promise<readonly Index[]> {
  const indexes: Index[] = []
  try {
    for (const { method, options } of parts)
      indexes.push(withoutExcluded(await method.index(chunks, models, options), chunks))
    return indexes
  } catch (error) {
    await closeAll(indexes)
    throw error
  }
}

/** What an index that asks others says of what they run on. */
export function askedTogether(indexes: readonly Index[]): Pick<Index, 'concurrency' | 'ended' | 'close'> {
  const bounds = indexes.flatMap(({ concurrency }) => concurrency ?? [])
  return {
    ...(bounds.length > 0 && { concurrency: Math.min(...bounds) }),
    ...(indexes.some((index) => 'ended' in index) && {
      ended: () => indexes.some((index) => index.ended?.() ?? false),
    }),
    ...(indexes.some((index) => 'close' in index) && { close: () => closeAll(indexes) }),
  }
}

async function closeAll(indexes: readonly Index[]): Promise<void> {
  await Promise.all(indexes.map(async (index) => index.close?.()))
}

/** The first passages of an index's ranking, whatever their tokens, within the limits of its own. */
export async function rankingOf(
  index: Pick<Index, 'retrieve' | 'limits'>,
  query: Query,
  depth: number,
  models: Models,
): Promise<readonly Passage[]> {
  const passages = Math.min(depth, index.limits?.passages ?? Infinity)
  const found = await index.retrieve(query, { passages, tokens: index.limits?.tokens ?? Infinity }, models)
  return found.slice(0, passages)
}

/**
 * What the methods that another one asks are expected to ask, ranked to `depth`; a context as large as one of theirs,
 * or as all together within the budget.
 */
export function costsOfAsked(facts: CorpusFacts, parts: readonly Part[], depth: number): MethodCosts | 'unknown' {
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
