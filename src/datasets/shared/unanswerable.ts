import type { Question } from '../../types.ts'

/** What is right where the documents hold no answer: to say so (the official word of Qasper), and no evidence. */
export const unanswerable = {
  reference: { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable', evidence: [] }] },
  evidence: [],
} as const satisfies Partial<Question>
