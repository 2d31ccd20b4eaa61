import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { containsAnswer } from '../text/contains-answer.ts'
import { acceptedTexts, creditCanned, isCredited } from './shared/credited.ts'

/** Whether the words of an accepted answer stand in the answer. */
export const contains = defineScorer({
  name: 'contains',
  version: 1,
  summary: 'Whether the answer holds the words of an accepted answer, in order.',
  source: 'own',
  kinds: ['answer'],
  onRequest: true,
  options: z.strictObject({ creditCanned }),
  rates: 'contains',
  columns: [{ metric: 'contains', label: 'contains' }],
  note: () =>
    'right: the answer holds the words of an accepted answer, in order and normalised as SQuAD does; numbers and dates count as the same in their usual spellings',
  async score(asked, _models, options) {
    const accepted = acceptedTexts(asked.question.reference)
    if (accepted.length === 0) return { skipped: 'the question has no reference answer' }
    const holds = isCredited(asked, options) && accepted.some((one) => containsAnswer(asked.answer.text, one))
    return { metrics: { contains: Number(holds) } }
  },
})
