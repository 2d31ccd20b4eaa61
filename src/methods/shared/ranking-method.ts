import { z } from 'zod'
import { addFields, itemAt } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { tasksOf } from '../../define.ts'
import { addTrace } from './add-trace.ts'
import type { AnyTask, Chunk, Index, IndexStats, Method, Models, Part, Passage, Query, Trace } from '../../types.ts'
import { excludeDocuments } from './excluded-documents.ts'

/** A reference to another method in a config: a name, a file, or a mapping with `use` and options. */
export const methodReference = z.union([z.string().min(1), z.looseObject({ use: z.string().min(1) })])

/** The option `of`. */
export const methodOption = (usual: string, description: string) => methodReference.default(usual).describe(description)

type Fields = 'name' | 'summary' | 'paper' | 'options' | 'sees' | 'context' | 'requires' | 'answers'

/** Builds the indexes of the methods of the option `of` over chunks. */
type OpenParts = (chunks: readonly Chunk[]) => Promise<readonly Index[]>

/** A method over others; its index has their end and close, their statistics, and the sums of their warnings. */
interface CompositeMethod<O, I> extends Pick<Method<O, unknown, I>, Fields> {
  readonly tasks?: (options: O) => readonly AnyTask[]
  readonly index: (
    open: OpenParts,
    chunks: readonly Chunk[],
    models: Models,
    options: O,
    parts: readonly Part[],
  ) => Promise<Index>
}

/** Defines a method over the methods that its option `of` names. */
export function defineComposite<O, I>({ tasks, index, ...method }: CompositeMethod<O, I>): Method<O, unknown, I> {
  const over = (parts: readonly Part[]): Pick<Method<O>, 'tasks' | 'index'> => ({
    tasks(options) {
      const ownTasks = tasks?.(options) ?? []
      const partTasks = parts.flatMap((part) => tasksOf(part.method, part.options))
      return [...new Set([...ownTasks, ...partTasks])]
    },
    async index(chunks, models, options) {
      const indexes: Index[] = []
      const closeAll = async (): Promise<void> => {
        await Promise.all(indexes.map(async (part) => part.close?.()))
      }
      try {
        // one after another, so that random numbers are reproducible
        const open: OpenParts = async (texts) => {
          for (const { method, options } of parts)
            indexes.push(excludeDocuments(await method.index(texts, models, options), texts))
          return indexes
        }
        const composite = await index(open, chunks, models, options, parts)
        const bounds = indexes.flatMap(({ concurrency }) => concurrency ?? [])
        return {
          stats: () => indexes.reduce<IndexStats>((all, part) => ({ ...all, ...part.stats?.() }), {}),
          ...composite,
          warnings() {
            const partWarnings = indexes.map((part) => part.warnings?.() ?? {})
            return addFields(...partWarnings, composite.warnings?.() ?? {})
          },
          ...(bounds.length > 0 && { concurrency: Math.min(...bounds) }),
          hasEnded: () => indexes.some((part) => part.hasEnded?.() ?? false),
          close: closeAll,
        }
      } catch (error) {
        await closeAll()
        throw error
      }
    },
  })
  return { ...method, ...over([]), over }
}

/** The first `depth` passages of an index's ranking, for a budget of `tokens`, within the limits of the index. */
export async function rankingOf(
  index: Pick<Index, 'retrieve' | 'limits'>,
  query: Query,
  depth: number,
  models: Models,
  tokens = Infinity,
): Promise<readonly Passage[]> {
  const passages = Math.min(depth, index.limits?.passages ?? Infinity)
  const budget = { passages, tokens: Math.min(tokens, index.limits?.tokens ?? Infinity) }
  const ranking = await index.retrieve(query, budget, models)
  return ranking.slice(0, passages)
}

/** Ranks passages for a query; `ranking` is that of the method of the option `of`, of at least `depth` passages. */
type Ranker = (
  query: Query,
  ranking: (query: Query) => Promise<readonly Passage[]>,
  models: Models,
) => Promise<readonly Passage[]>

/** A method over the ranking of another one, which its option `of` names. */
interface RankingMethod<O, I> extends Omit<CompositeMethod<O, I>, 'index'> {
  /** Minimum length of the rankings that it reads; default `rankingDepth` (our reading). */
  readonly depth?: (options: O) => number
  /** Passages of a ranker that exceed the budget are cut off. */
  readonly ranker: (chunks: readonly Chunk[], models: Models, options: O) => Ranker | Promise<Ranker>
}

/** Defines a method over another one. Its ranking for a smaller budget is a prefix of that for a larger one. */
export const defineRanking = <O, I>({ depth, ranker, ...method }: RankingMethod<O, I>): Method<O, unknown, I> =>
  defineComposite({
    ...method,
    async index(open, chunks, models, options) {
      const [index] = await open(chunks)
      const rank = await ranker(chunks, models, options)
      const read = depth?.(options) ?? rankingDepth
      return {
        nested: read >= rankingDepth,
        async retrieve(query, budget, models) {
          const most = Math.max(read, budget.passages)
          const ranking = async (subquery: Query) => (index ? rankingOf(index, subquery, most, models) : [])
          return (await rank(query, ranking, models)).slice(0, budget.passages)
        },
      }
    },
  })

/** A passage of the previous ranking, by its place from 0. */
export interface NewPlace {
  readonly index: number
  readonly why?: Trace
}

/**
 * Reorders a ranking; passages that `order` lacks follow in their order. The score becomes 1 / rank, since the previous
 * scores no longer apply.
 */
export function reorder(
  passages: readonly Passage[],
  order: readonly NewPlace[],
  fallback?: string,
): readonly Passage[] {
  const placedIndexes = new Set(order.map(({ index }) => index))
  const rest = [...passages.keys()].filter((index) => !placedIndexes.has(index))
  const places: readonly NewPlace[] = [...order, ...rest.map((index) => ({ index }))]
  const ranking = places.map(({ index, why }, rank): Passage => {
    const { order: _order, why: { fallback: _fallback, ...before } = {}, ...passage } = itemAt(passages, index)
    return { ...passage, score: 1 / (rank + 1), why: { ...before, 'rank before': index + 1, ...why } }
  })
  return addTrace(ranking, [passages[0]?.why?.['fallback'], fallback])
}
