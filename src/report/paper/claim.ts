import { z } from 'zod'

const about = {
  claim: z.string().min(1).describe('what the paper says'),
  run: z.string().describe('which run it is judged by'),
  scorer: z.string(),
  metric: z.string(),
  subset: z.string().default('all'),
}

/** What a paper says of its rows: which of them score above which. */
export const claim = z.union([
  z.strictObject({
    ...about,
    order: z.array(z.string()).min(2).describe('rows, each of which is claimed to score above the next'),
  }),
  z.strictObject({
    ...about,
    best: z.string().describe('the row that is claimed to score above each of `of`'),
    of: z.array(z.string()).min(1),
  }),
])

export type Claim = z.output<typeof claim>

/** The pairs of rows that a claim is about: the first is claimed to score above the second. */
export function pairsOf(claim: Claim): readonly (readonly [above: string, below: string])[] {
  if ('best' in claim) return claim.of.map((row) => [claim.best, row] as const)
  return claim.order.slice(1).map((row, index) => [claim.order[index] ?? row, row] as const)
}
