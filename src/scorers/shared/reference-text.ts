import type { Reference } from '../../types.ts'

/**
 * The one text that a judge compares with: the first accepted answer that is one, as RAGAS takes a single reference (our reading where
 * there are several); of a choice the right option. Undefined where nothing is accepted or the question has no answer.
 */
export function referenceText(reference: Reference): string | undefined {
  switch (reference.kind) {
    case 'choice':
      return reference.options[reference.correct]
    case 'answer':
      return reference.accepted.find(({ type }) => type !== 'unanswerable')?.text
    case 'summary':
      return reference.accepted[0]
    case 'turn':
      return reference.accepted
  }
}
