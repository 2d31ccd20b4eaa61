import { leastChunkBeyond } from './least-chunk.ts'
import type { Prepared } from './prepare.ts'
import type { Survey } from './survey.ts'

/** That no chunk fits the budget, so that every context of chunks is going to be empty, in one line; undefined where one fits. */
export async function noteOnBudget(prepared: Pick<Prepared, 'plan' | 'corpora'>): Promise<string | undefined> {
  const least = await leastChunkBeyond(prepared)
  const { tokens } = prepared.plan.budget
  return least === undefined
    ? undefined
    : `no chunk fits the budget of ${tokens} token${tokens === 1 ? '' : 's'}: the shortest has ${least}, so every context of chunks is empty; raise budget.tokens or lower chunks.size`
}

/** That questions have nothing to compare an answer with, in one line; undefined where all have. */
export function noteOnReferences({ questions, withoutReference }: Survey): string | undefined {
  if (withoutReference === 0) return undefined
  const [have, them] = withoutReference === 1 ? ['has', 'it'] : ['have', 'them']
  return `${withoutReference} of ${questions} question${questions === 1 ? '' : 's'} ${have} no answer, options or summary: scorers that compare with a right answer do not score ${them}`
}
