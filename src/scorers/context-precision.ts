import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { judgeUsefulness } from '../tasks/verdicts.ts'
import { awaitAll, contextPrecision as meanPrecision } from './measures/ragas/claims.ts'
import { referenceText } from './shared/accepted-answers.ts'
/** Share and rank of useful passages in the context. */
export const contextPrecision = defineScorer({
  name: 'context-precision',
  version: 5,
  summary: 'Mean precision at the ranks of the passages that a judge finds useful for the reference answer.',
  source: 'RAGAS v0.4.0, metrics/_context_precision.py',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  readsAnswer: false,
  options: z.strictObject({}),
  judge: true,
  tasks: [judgeUsefulness],
  columns: [{ metric: 'contextPrecision', label: 'context precision' }],
  /** An empty context scores 0, as in the reference. */
  async score({ question, context }, models) {
    const answer = referenceText(question.reference)
    if (answer === undefined) return { skipped: 'the question has no reference answer' }
    const verdicts = await awaitAll(
      context.map(({ text }) => models.run(judgeUsefulness, { question: question.text, answer, passage: text })),
    )
    return {
      metrics: { contextPrecision: meanPrecision(verdicts.map(({ verdict }) => verdict === 1)) },
      parts: { verdicts },
    }
  },
})
