import { z } from 'zod'
import type { ScorerInput, Reference } from '../../types.ts'

/** The option of scorers whose papers' rows credit canned answers. */
export const creditCanned = z
  .boolean()
  .default(false)
  .describe(
    'Score the fixed answer of a method that found no context as if the model had given it, as the official script would. By default it scores 0, also where a question has no answer: nothing was asked (our reading)',
  )

/** Whether an answer may be rewarded: one that no model gave, for want of a context, may not (oracle's may). */
export const isCredited = (
  { answer, ranked }: Pick<ScorerInput, 'answer' | 'ranked'>,
  isCannedCredited = false,
): boolean => !answer.canned || ranked === false || isCannedCredited

/** All texts that count as right, in order; of a choice the right option, and none where nothing is accepted. */
export function acceptedTexts(reference: Reference): readonly string[] {
  switch (reference.kind) {
    case 'choice':
      return reference.options.slice(reference.correct, reference.correct + 1)
    case 'answer':
      return reference.accepted.map(({ text }) => text)
    case 'summary':
      return reference.accepted
    case 'turn':
      return [reference.accepted]
  }
}

/**
 * The one text that a judge compares with: the first accepted answer that is one, as RAGAS takes a single reference
 * (our reading where there are several), or the right option. Undefined where there is none.
 */
export const referenceText = (reference: Reference): string | undefined =>
  reference.kind === 'answer'
    ? reference.accepted.find(({ type }) => type !== 'unanswerable')?.text
    : acceptedTexts(reference)[0]
