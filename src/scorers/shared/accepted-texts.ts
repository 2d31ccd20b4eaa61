import type { Reference } from '../../types.ts'

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
