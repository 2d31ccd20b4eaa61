import { z } from 'zod'
import { itemAt } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { tasksOf } from '../../define.ts'
import { explained } from './explained.ts'
import type { AnyTask, Chunk, Index, Method, Models, Part, Passage, Query, Trace } from '../../types.ts'
import { withoutExcluded } from './excluded-documents.ts'

/** A method that another one queries, as a config writes it: a name, a file, or a mapping with `use` and options. */
export const askedMethod = z.union([z.string().min(1), z.looseObject({ use: z.string().min(1) })])

/** The tasks of a method and of those that it queries, each once. */
export const tasksWith = (tasks: readonly AnyTask[], parts: readonly Part[]): readonly AnyTask[] => [
  ...new Set([...tasks, ...parts.flatMap(({ method, options }) => tasksOf(method, options))]),
]

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

/** What an index that queries others says of what they run on. */
export function askedTogether(indexes: readonly Index[]): Pick<Index, 'concurrency' | 'hasEnded' | 'close'> {
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

/** The first passages of an index's ranking, whatever their tokens, within the limits of its own. */
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

/** Ranks anew for a query; `ranking` is that of the method of the option `of`, at least as deep as `depth` says. */
type Ranker = (
  query: Query,
  ranking: (query: Query) => Promise<readonly Passage[]>,
  models: Models,
) => Promise<readonly Passage[]>

type Fields = 'name' | 'summary' | 'paper' | 'options' | 'sees' | 'context' | 'requires'

/** A method that works on the ranking of another one, which its option `of` names. */
interface RankingMethod<O, I> extends Pick<Method<O, unknown, I>, Fields> {
  /** Tasks of its own. */
  readonly tasks?: (options: O) => readonly AnyTask[]
  /** How many passages of a ranking it reads, `rankingDepth` where absent (our reading); more where the budget has. */
  readonly depth?: (options: O) => number
  /** All that a ranker returns beyond the budget is cut off. */
  readonly ranker: (chunks: readonly Chunk[], models: Models, options: O) => Ranker | Promise<Ranker>
}

/** Such a method. Its ranking for fewer passages begins that for more. */
export function defineRanking<O, I>({ tasks, depth, ranker, ...method }: RankingMethod<O, I>): Method<O, unknown, I> {
  const over = (parts: readonly Part[]): Pick<Method<O>, 'tasks' | 'index'> => ({
    tasks: (options) => tasksWith(tasks?.(options) ?? [], parts),
    async index(chunks, models, options) {
      const indexes = await indexesOf(parts, chunks, models)
      const [index] = indexes
      const rank = await ranker(chunks, models, options)
      const read = depth?.(options) ?? rankingDepth
      return {
        ...askedTogether(indexes),
        nested: read >= rankingDepth,
        async retrieve(query, budget, models) {
          const most = Math.max(read, budget.passages)
          const ranking = async (asked: Query) => (index ? rankingOf(index, asked, most, models) : [])
          return (await rank(query, ranking, models)).slice(0, budget.passages)
        },
        stats: () => index?.stats?.() ?? {},
        warnings: () => index?.warnings?.() ?? {},
      }
    },
  })
  return { ...method, ...over([]), over }
}

/** A passage of a ranking, by its place from 0, at its new place. */
export interface NewPlace {
  readonly index: number
  readonly why?: Trace
}

/**
 * A ranking in a new order, each place once, those that the order lacks after the others; the score of a passage is
 * 1 / rank, since none of before holds.
 */
export function reordered(passages: readonly Passage[], order: readonly NewPlace[]): readonly Passage[] {
  const places = new Map<number, Trace>()
  for (const { index, why = {} } of [...order, ...Array.from(passages.keys(), (index): NewPlace => ({ index }))])
    if (!places.has(index)) places.set(index, why)
  const ranking = Array.from(places, ([index, { fallback: _, ...why }], rank): Passage => {
    const { order: _order, why: { fallback: _fallback, ...before } = {}, ...passage } = itemAt(passages, index)
    return { ...passage, score: 1 / (rank + 1), why: { ...before, 'rank before': index + 1, ...why } }
  })
  const [first = {}] = places.values()
  return explained(ranking, [passages[0]?.why?.['fallback'], first['fallback']])
}
