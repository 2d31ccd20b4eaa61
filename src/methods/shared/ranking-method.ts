import { z } from 'zod'
import { itemAt } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { tasksOf } from '../../define.ts'
import { addTrace } from './add-trace.ts'
import type { AnyTask, Chunk, Index, Method, Models, Part, Passage, Query, Trace } from '../../types.ts'
import { excludeDocuments } from './excluded-documents.ts'

/** A reference to another method in a config: a name, a file, or a mapping with `use` and options. */
export const methodReference = z.union([z.string().min(1), z.looseObject({ use: z.string().min(1) })])

/** The distinct tasks of a method and of the methods that it queries. */
export const tasksWith = (tasks: readonly AnyTask[], parts: readonly Part[]): readonly AnyTask[] => [
  ...new Set([...tasks, ...parts.flatMap(({ method, options }) => tasksOf(method, options))]),
]

/** Builds the indexes of methods over the same chunks, sequentially, so that random numbers are reproducible. */
export async function indexesOf(
  parts: readonly Part[],
  chunks: readonly Chunk[],
  models: Models,
): Promise<readonly Index[]> {
  const indexes: Index[] = []
  try {
    for (const { method, options } of parts)
      indexes.push(excludeDocuments(await method.index(chunks, models, options), chunks))
    return indexes
  } catch (error) {
    await closeAll(indexes)
    throw error
  }
}

/** Concurrency, end and close of an index that queries others. */
export function combinedLifecycle(indexes: readonly Index[]): Pick<Index, 'concurrency' | 'hasEnded' | 'close'> {
  const bounds = indexes.flatMap(({ concurrency }) => concurrency ?? [])
  return {
    ...(bounds.length > 0 && { concurrency: Math.min(...bounds) }),
    ...(indexes.some((index) => 'hasEnded' in index) && {
      hasEnded: () => indexes.some((index) => index.hasEnded?.() ?? false),
    }),
    ...(indexes.some((index) => 'close' in index) && { close: () => closeAll(indexes) }),
  }
}

async function closeAll(indexes: readonly Index[]): Promise<void> {
  await Promise.all(indexes.map(async (index) => index.close?.()))
}

/** The first `depth` passages of an index's ranking, without a token budget, within the limits of the index. */
export async function rankingOf(
  index: Pick<Index, 'retrieve' | 'limits'>,
  query: Query,
  depth: number,
  models: Models,
): Promise<readonly Passage[]> {
  const passages = Math.min(depth, index.limits?.passages ?? Infinity)
  const ranking = await index.retrieve(query, { passages, tokens: index.limits?.tokens ?? Infinity }, models)
  return ranking.slice(0, passages)
}

/** Ranks passages for a query; `ranking` is that of the method of the option `of`, of at least `depth` passages. */
type Ranker = (
  query: Query,
  ranking: (query: Query) => Promise<readonly Passage[]>,
  models: Models,
) => Promise<readonly Passage[]>

type Fields = 'name' | 'summary' | 'paper' | 'options' | 'sees' | 'context' | 'requires'

/** A method over the ranking of another one, which its option `of` names. */
interface RankingMethod<O, I> extends Pick<Method<O, unknown, I>, Fields> {
  readonly tasks?: (options: O) => readonly AnyTask[]
  /** Minimum length of the rankings that it reads; default `rankingDepth` (our reading). */
  readonly depth?: (options: O) => number
  /** Passages of a ranker that exceed the budget are cut off. */
  readonly ranker: (chunks: readonly Chunk[], models: Models, options: O) => Ranker | Promise<Ranker>
}

/** Defines a method over another one. Its ranking for a smaller budget is a prefix of that for a larger one. */
export function defineRanking<O, I>({ tasks, depth, ranker, ...method }: RankingMethod<O, I>): Method<O, unknown, I> {
  const over = (parts: readonly Part[]): Pick<Method<O>, 'tasks' | 'index'> => ({
    tasks: (options) => tasksWith(tasks?.(options) ?? [], parts),
    async index(chunks, models, options) {
      const indexes = await indexesOf(parts, chunks, models)
      const [index] = indexes
      const rank = await ranker(chunks, models, options)
      const read = depth?.(options) ?? rankingDepth
      return {
        ...combinedLifecycle(indexes),
        nested: read >= rankingDepth,
        async retrieve(query, budget, models) {
          const most = Math.max(read, budget.passages)
          const ranking = async (subquery: Query) => (index ? rankingOf(index, subquery, most, models) : [])
          return (await rank(query, ranking, models)).slice(0, budget.passages)
        },
        stats: () => index?.stats?.() ?? {},
        warnings: () => index?.warnings?.() ?? {},
      }
    },
  })
  return { ...method, ...over([]), over }
}

/** A passage of the previous ranking, by its place from 0. */
export interface NewPlace {
  readonly index: number
  readonly why?: Trace
}

/**
 * Reorders a ranking; passages that `order` lacks follow in their order. The score becomes 1 / rank, since the previous
 * scores no longer apply.
 */
export function reorder(passages: readonly Passage[], order: readonly NewPlace[]): readonly Passage[] {
  const places = new Map<number, Trace>()
  for (const { index, why = {} } of [...order, ...Array.from(passages.keys(), (index): NewPlace => ({ index }))])
    if (!places.has(index)) places.set(index, why)
  const ranking = Array.from(places, ([index, { fallback: _, ...why }], rank): Passage => {
    const { order: _order, why: { fallback: _fallback, ...before } = {}, ...passage } = itemAt(passages, index)
    return { ...passage, score: 1 / (rank + 1), why: { ...before, 'rank before': index + 1, ...why } }
  })
  const [first = {}] = places.values()
  return addTrace(ranking, [passages[0]?.why?.['fallback'], first['fallback']])
}
