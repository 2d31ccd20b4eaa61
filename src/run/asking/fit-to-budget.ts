import type { Budget, Passage } from '../../types.ts'
import type { Stop } from '../../records.ts'

/** A passage with its cost in tokens of the run's tokenizer. */
export type WithTokens<P extends Passage = Passage> = P & { readonly tokens: number }

/**
 * Cuts a ranking to the budget, for every method alike: the longest prefix within both limits.
 * The first passage that would exceed a limit stops the selection; nothing is skipped or cut.
 */
export function fitToBudget<P extends Passage>(
  ranking: readonly P[],
  budget: Budget,
  countTokens: (text: string) => number,
): { readonly passages: readonly WithTokens<P>[]; readonly stopped: Stop } {
  const passages: WithTokens<P>[] = []
  let spent = 0
  for (const passage of ranking) {
    if (passages.length >= budget.passages) return { passages, stopped: 'passages' }
    const tokens = countTokens(passage.text)
    if (spent + tokens > budget.tokens) return { passages, stopped: 'tokens' }
    passages.push({ ...passage, tokens })
    spent += tokens
  }
  return { passages, stopped: 'end' }
}
