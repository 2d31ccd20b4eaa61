import { rankingDepth } from '../../basics/metrics.ts'
import { addFields, itemAt } from '../../basics/collections.ts'
import { tasksOf } from '../../define.ts'
import type { AnyTask, Chunk, Index, IndexStats, Method, Models, Part, Passage, Query, Trace } from '../../types.ts'
import { askedTogether, indexesOf, rankingOf } from './asked-methods.ts'

/** The ranking of the method that is asked, at least as deep as the option says. */
export type Ranking = (query: Query, models: Models) => Promise<readonly Passage[]>

/** What a method adds to the ranking of another one, which its option `of` names. */
interface AskingOne<O> {
  /** Tasks of its own. */
  tasks?(options: O): readonly AnyTask[]
  /** How many passages of each ranking it reads; more where the budget has more. */
  depth(options: O): number
  /** Its own index, and how it ranks; all that it returns beyond the budget is cut off. */
  index(
    chunks: readonly Chunk[],
    models: Models,
    options: O,
  ): Promise<
    Pick<Index, 'stats' | 'warnings'> & {
      rank(query: Query, asked: Ranking, models: Models): Promise<readonly Passage[]>
    }
  >
}

/** What a method that asks one other is: `over` of a method. Its ranking for fewer passages begins that for more. */
export const askingOne =
  <O>(own: AskingOne<O>) =>
  (parts: readonly Part[]): Pick<Method<O>, 'tasks' | 'index'> => ({
    tasks: (options) => [
      ...new Set([
        ...(own.tasks?.(options) ?? []),
        ...parts.flatMap(({ method, options: asked }) => tasksOf(method, asked)),
      ]),
    ],
    async index(chunks, models, options) {
      const indexes = await indexesOf(parts, chunks, models)
      const mine = await own.index(chunks, models, options)
      const depth = own.depth(options)
      return {
        ...askedTogether(indexes),
        nested: depth >= rankingDepth,
        async retrieve(query, budget, models) {
          const asked: Ranking = async (one, lent) => {
            const [ranking = []] = await Promise.all(
              indexes.map((index) => rankingOf(index, one, Math.max(depth, budget.passages), lent)),
            )
            return ranking
          }
          return (await mine.rank(query, asked, models)).slice(0, budget.passages)
        },
        stats: () => indexes.reduce<IndexStats>((all, index) => ({ ...all, ...index.stats?.() }), mine.stats?.() ?? {}),
        warnings: () => addFields(...[...indexes, mine].map((one) => one.warnings?.() ?? {})),
      }
    },
  })

/** A passage of a ranking, by its place from 0, at its new place. */
export interface NewPlace {
  readonly index: number
  readonly why?: Trace
}

/** A ranking in a new order, each place once; the score of a passage is 1 / rank, since none of before holds. */
export function reordered(passages: readonly Passage[], order: readonly (number | NewPlace)[]): readonly Passage[] {
  const places = new Map<number, Trace>()
  for (const one of order) {
    const { index, why = {} }: NewPlace = typeof one === 'number' ? { index: one } : one
    if (!places.has(index)) places.set(index, why)
  }
  return Array.from(places, ([index, why], rank) => {
    const { order: _order, why: { fallback: _fallback, ...before } = {}, ...passage } = itemAt(passages, index)
    const said = rank === 0 ? [passages[0]?.why?.['fallback'], why['fallback']].filter((one) => one !== undefined) : []
    return {
      ...passage,
      score: 1 / (rank + 1),
      why: { ...before, 'rank before': index + 1, ...why, ...(said.length > 0 && { fallback: said.join('; ') }) },
    }
  })
}
