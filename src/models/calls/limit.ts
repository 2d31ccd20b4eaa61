import pLimit from 'p-limit'
import type { Send } from './retry.ts'

/** At most that many calls under way at once, first come first served; a call that waits to be repeated keeps its place. */
export function limit(concurrency: number, send: Send): Send {
  const places = pLimit(concurrency)
  return (attempt) => places(() => send(attempt))
}
