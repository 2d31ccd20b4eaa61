import { z } from 'zod'
import type { AcceptedAnswer, Reference, ScorerInput } from '../../types.ts'

/** The option of scorers whose papers credit canned answers. */
export const creditCannedOption = z
  .boolean()
  .default(false)
  .describe(
    'Score the fixed answer of a method that found no context as the official script would. By default it scores 0, also where a question has no answer (our reading)',
  )

/** Whether an answer may score: a canned one, given without a context, may not (except the oracle's). */
export const isCredited = (
  { answer, ranked }: Pick<ScorerInput, 'answer' | 'ranked'>,
  isCannedCredited = false,
): boolean => !answer.canned || ranked === false || isCannedCredited

/** The accepted answers of a free question; none for other kinds, which scorers of free answers do not get. */
export const acceptedAnswers = (reference: Reference): readonly AcceptedAnswer[] =>
  reference.kind === 'answer' ? reference.accepted : []

/** All accepted texts, in order; the right option of a choice. */
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
 * The reference of a judge: the first accepted answer, since RAGAS takes a single one (our reading for several), or the
 * right option. Undefined without one.
 */
export const referenceText = (reference: Reference): string | undefined =>
  reference.kind === 'answer'
    ? reference.accepted.find(({ type }) => type !== 'unanswerable')?.text
    : acceptedTexts(reference)[0]
