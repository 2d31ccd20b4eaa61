import type { TrialLine } from '../../records.ts'
import type { Question, Reference } from '../../types.ts'

/** The question as a person needs it to judge an answer: after the turns that came before it, with the options of a choice. */
export function questionText({ text, history = [], reference }: Question): string {
  const turns = history.map((turn) => `${turn.speaker}: ${turn.text}`)
  const options = reference.kind === 'choice' ? reference.options.map((option, i) => `(${i + 1}) ${option}`) : []
  return [...turns, text, ...options].join('\n')
}

/** All that is accepted, one below the other. */
export function acceptedText(reference: Reference): string {
  switch (reference.kind) {
    case 'choice':
      return `(${reference.correct + 1}) ${reference.options[reference.correct] ?? ''}`
    case 'answer':
      return [...new Set(reference.accepted.map(({ text }) => text))].join('\n')
    case 'summary':
      return reference.accepted.join('\n')
    case 'turn':
      return reference.accepted
  }
}

/** The passages as the answerer saw them. */
export const contextText = ({ context }: Pick<TrialLine, 'context'>): string =>
  context.map(({ text }) => text).join('\n\n')
