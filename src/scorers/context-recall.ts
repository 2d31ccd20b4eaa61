import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { ModelError } from '../errors.ts'
import { attributeSentences } from '../tasks/claims.ts'
import { sentences } from '../text/sentences.ts'
import { shareOf } from './measures/ragas/claims.ts'
import { referenceText } from './shared/accepted-answers.ts'
/** Share of the reference answer that the context supports. */
export const contextRecall = defineScorer({
  name: 'context-recall',
  version: 4,
  summary: 'Share of the sentences of the reference answer that a judge attributes to the context.',
  source: 'RAGAS v0.4.0, metrics/_context_recall.py',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  readsAnswer: false,
  options: z.strictObject({}),
  judge: true,
  tasks: [attributeSentences],
  columns: [{ metric: 'contextRecall', label: 'context recall' }],
  async score({ question, context }, models) {
    const statements = sentences(referenceText(question.reference) ?? '').map(({ text }) => text)
    if (statements.length === 0) return { skipped: 'the question has no reference answer' }
    if (context.length === 0) return { metrics: { contextRecall: 0 } }
    const { attributions } = await models.run(attributeSentences, {
      question: question.text,
      sentences: statements,
      context: context.map(({ text }) => text).join('\n'),
    })
    if (attributions.length === 0)
      throw new ModelError('reply', 'attribute-sentences: the reply has no verdict on any sentence')
    return {
      metrics: { contextRecall: shareOf(attributions.map((attribution) => attribution.attributed === 1)) },
      parts: { attributions },
    }
  },
})
