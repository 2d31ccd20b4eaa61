import { getHeapStatistics, type HeapInfo } from 'node:v8'
import { UserError } from '../errors.ts'

/** The part of its memory from which on Node mostly collects garbage, and then ends the process without a word of ours. */
const full = 0.85

/** Throws UserError where reading on would take more memory than this process has; `where` it stopped. */
export function refuseFullMemory(
  where: string,
  {
    used_heap_size: used,
    heap_size_limit: most,
  }: Pick<HeapInfo, 'used_heap_size' | 'heap_size_limit'> = getHeapStatistics(),
): void {
  if (used <= full * most) return
  const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)
  throw new UserError(
    `${where}: what was read up to here takes ${megabytes(used)} of the ${megabytes(most)} MB of memory that Node gives to texts: set the environment variable NODE_OPTIONS=--max-old-space-size=${2 * megabytes(most)} where there is as much, or take fewer documents`,
  )
}
