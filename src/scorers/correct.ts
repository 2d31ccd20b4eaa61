import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { judgeAnswer } from '../tasks/verdicts.ts'
import { containment } from '../text/contains-answer.ts'
import { acceptedTexts, isCredited } from './shared/accepted-answers.ts'

/** Whether an answer agrees with an accepted answer. */
export const correct = defineScorer({
  name: 'correct',
  version: 2,
  summary: 'Whether the answer says what an accepted answer says: yes or no, by a judge, with a reason.',
  source: 'own',
  kinds: ['answer'],
  onRequest: true,
  options: z.strictObject({}),
  judge: true,
  tasks: [judgeAnswer],
  rates: 'correct',
  columns: [{ metric: 'correct', label: 'correct' }],
  note: (_, { isJudgeOffline }) =>
    isJudgeOffline
      ? `right (judged without a language model): ${containment}`
      : 'right: the judge says that the answer says what an accepted answer says',
  async score(input, models) {
    const { question, answer } = input
    const references = acceptedTexts(question.reference)
    if (references.length === 0) return { skipped: 'the question has no reference answer' }
    if (!isCredited(input) || answer.text.trim() === '') return { metrics: { correct: 0 } }
    const { verdict, reason } = await models.run(judgeAnswer, {
      question: question.text,
      accepted: references,
      answer: answer.text,
    })
    return { metrics: { correct: verdict }, parts: { reason } }
  },
})
