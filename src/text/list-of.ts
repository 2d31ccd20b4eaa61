import { z, type ZodType } from 'zod'
import { whatIsWrong } from './shape-faults.ts'

/**
 * A list in data that is not trusted. The check ends with the first item that does not fit: a list of a million wrong items costs no more
 * than a right one, where `z.array` would describe every one of them.
 */
export const listOf = <T>(item: ZodType<T>) =>
  z.array(z.unknown()).transform((items, context): readonly T[] => {
    const read: T[] = []
    for (const [index, value] of items.entries()) {
      const { success, data, error } = item.safeParse(value)
      if (!success) {
        const [issue] = error.issues
        if (issue)
          context.issues.push({
            code: 'custom',
            message: whatIsWrong(issue, value),
            path: [index, ...issue.path],
            input: items,
          })
        return z.NEVER
      }
      read.push(data)
    }
    return read
  })
