import { z } from 'zod'
import type { Chunk, Index, Models, Part, Passage, Query } from '../../types.ts'
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
