import { z } from 'zod'
import { defineScorer } from '../define.ts'

/** Accuracy 1 or 0, and the SAT score with its penalty; `null` abstains. */
export function choiceScore(choice: number | null, correct: number) {
  if (choice === null) return { accuracy: 0, sat: 0 }
  return choice === correct ? { accuracy: 1, sat: 1 } : { accuracy: 0, sat: -1 / 3 }
}

/** Accuracy and SAT score as on QuALITY's leaderboard. An abstention counts as wrong for the accuracy. */
export const accuracy = defineScorer({
  name: 'accuracy',
  version: 2,
  summary:
    'Share of multiple-choice questions answered correctly; the SAT score subtracts one third for a wrong choice.',
  source: 'QuALITY (nyu-mll/quality@f84977c4, leaderboard/submission.md)',
  kinds: ['choice'],
  options: z.strictObject({}),
  ranges: { sat: [-1 / 3, 1] },
  rates: 'accuracy',
  columns: [
    { metric: 'accuracy', label: 'accuracy' },
    { metric: 'accuracy', subset: 'hard', label: 'hard' },
    { metric: 'sat', label: 'SAT score', shown: false },
    { metric: 'abstained', better: 'none', shown: false },
    { metric: 'unreadable', better: 'none', shown: false },
  ],
  async score({ question, answer }) {
    const { reference } = question
    if (reference.kind !== 'choice')
      return { skipped: `accuracy scores only multiple-choice questions, not questions of kind ${reference.kind}` }
    const choice = answer.choice ?? null
    const abstention = choice === null ? 1 : 0
    // a canned answer abstains on purpose, an unreadable reply by accident
    const unreadable = answer.canned ? 0 : abstention
    return { metrics: { ...choiceScore(choice, reference.correct), abstained: abstention, unreadable } }
  },
})
