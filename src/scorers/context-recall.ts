import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { ModelError } from '../errors.ts'
import { attributeSentences } from '../tasks/claims.ts'
import { sentences } from '../text/sentences.ts'
import type { ScorerInput, Models } from '../types.ts'
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
  async score(input, models) {
    const statements = sentences(referenceText(input.question.reference) ?? '').map(({ text }) => text)
    if (statements.length === 0) return { skipped: 'the question has no reference answer' }
    const attributions = await attributeToContext(statements, input, models)
    return {
      metrics: { contextRecall: shareOf(attributions.map((entry) => entry.attributed === 1)) },
      parts: { attributions },
    }
  },
})

async function attributeToContext(statements: readonly string[], { question, context }: ScorerInput, models: Models) {
  if (context.length === 0) return statements.map((sentence) => ({ sentence, attributed: 0 }))
  const { attributions } = await models.run(attributeSentences, {
    question: question.text,
    sentences: statements,
    context: context.map((passage) => passage.text).join('\n'),
  })
  if (attributions.length === 0)
    throw new ModelError('reply', 'attribute-sentences: the reply has no verdict on any sentence')
  return attributions
}
