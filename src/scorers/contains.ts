import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { containment, containsAnswer } from '../text/contains-answer.ts'
import { acceptedTexts, isCredited } from './shared/accepted-answers.ts'

/** Whether the answer contains an accepted answer, literally or as equal words and values. */
export const contains = defineScorer({
  name: 'contains',
  version: 2,
  summary:
    'Whether the answer contains an accepted answer: the same words and values in order, not denied and not one of several.',
  source: 'own',
  kinds: ['answer'],
  onRequest: true,
  options: z.strictObject({}),
  rates: 'contains',
  columns: [{ metric: 'contains', label: 'contains' }],
  note: () => `right: ${containment}`,
  async score(input) {
    const references = acceptedTexts(input.question.reference)
    if (references.length === 0) return { skipped: 'the question has no reference answer' }
    const holds =
      isCredited(input) && references.some((text) => containsAnswer(input.answer.text, text, input.question.text))
    return { metrics: { contains: Number(holds) } }
  },
})
