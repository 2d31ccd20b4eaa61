import { z } from 'zod'

/** The most things that a column may be the share of: integers stay exact up to it with six decimal places. */
export const largestNumber = 1_000_000

/** How many things the values of columns may be shares of, both included, such as 1 to the size of the split. */
export const numberRange = z
  .strictObject({ from: z.int().min(1), to: z.int().min(1).max(largestNumber) })
  .refine(({ from, to }) => from <= to, { message: 'from must not be above to' })

export type NumberRange = z.output<typeof numberRange>
