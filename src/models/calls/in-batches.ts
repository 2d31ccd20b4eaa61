import { itemAt, slices, valueOf } from '../../basics/collections.ts'
import type { CallResult, EmbeddedText } from '../cache/cache.ts'
import type { ResolvedCall } from '../cache/single-flight.ts'
import type { CallContext } from './call-context.ts'

/** The calls of texts, in order. Those neither cached nor in flight are sent in batches. */
export function inBatches(
  { calls, provider: { batch: size = Infinity } }: CallContext,
  keys: readonly string[],
  texts: readonly string[],
  send: (batch: readonly string[]) => Promise<readonly CallResult<EmbeddedText>[]>,
): Promise<ResolvedCall<EmbeddedText>[]> {
  const textOf = new Map(keys.map((key, at) => [key, itemAt(texts, at)]))
  const resolvedCalls = calls.take<EmbeddedText>(keys, (missing) =>
    [...slices(missing, size)].flatMap((batch) => {
      const results = send(batch.map((key) => valueOf(textOf, key)))
      return batch.map(async (_, at) => itemAt(await results, at))
    }),
  )
  return Promise.all(keys.map((key) => valueOf(resolvedCalls, key)))
}

/** A text's share of the time of its batch, in milliseconds to the hundredth. */
export const shareOf = (milliseconds: number, { length }: readonly string[]): number =>
  Math.round((milliseconds / length) * 100) / 100
