import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { ModelError } from '../errors.ts'
import { attributeSentences, type Attributions } from '../tasks/attribute-sentences.ts'
import { sentences } from '../text/sentences.ts'
import type { Asked, Models } from '../types.ts'
import { contextRecall as shareAttributed } from './ragas/context.ts'
import { referenceText } from './reference-text.ts'

/** How much of the right answer the context holds. */
export const contextRecall = defineScorer({
  name: 'context-recall',
  version: 2,
  summary: "Share of the right answer's sentences that a judge can attribute to the context.",
  source: 'RAGAS v0.4.0, metrics/_context_recall.py',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  options: z.strictObject({}),
  judge: true,
  columns: [{ metric: 'contextRecall', label: 'context recall' }],
  async score(asked, models) {
    const told = sentences(referenceText(asked.question.reference) ?? '').map(({ text }) => text)
    if (told.length === 0) return { skipped: 'the question has no answer that the context could hold' }
    const attributions = await attributed(told, asked, models)
    return {
      metrics: { contextRecall: shareAttributed(attributions.map((one) => one.attributed !== 0)) },
      parts: { attributions },
    }
  },
})

/** As many entries as the judge gives. An empty context accounts for nothing, which needs no call. */
async function attributed(
  told: readonly string[],
  { question, context }: Asked,
  models: Models,
): Promise<Attributions['attributions']> {
  if (context.length === 0) return told.map((sentence) => ({ sentence, attributed: 0 }))
  const { attributions } = await models.run(attributeSentences, {
    question: question.text,
    sentences: told,
    context: context.map((passage) => passage.text).join('\n'),
  })
  if (attributions.length === 0) throw new ModelError('reply', 'attribute-sentences: no sentence was attributed or not')
  return attributions
}
