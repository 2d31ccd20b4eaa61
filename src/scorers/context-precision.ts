import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { judgeUsefulness } from '../tasks/judge-usefulness.ts'
import type { Asked, ContextPassage, Models, Score } from '../types.ts'
import { allDone } from './all-done.ts'
import { contextPrecision as meanPrecision } from './ragas/context.ts'
import { referenceText } from './reference-text.ts'

/** How much of the context was worth retrieving, and whether that stands first. */
export const contextPrecision = defineScorer({
  name: 'context-precision',
  version: 2,
  summary: 'Mean precision at the ranks of the passages that a judge finds useful for the right answer.',
  source: 'RAGAS v0.4.0, metrics/_context_precision.py',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  options: z.strictObject({
    by: z
      .enum(['model', 'evidence'])
      .default('model')
      .describe(
        'Who says what is useful: a judge, asked once per passage, or the evidence, without a call: then the share of the retrieved chunks that overlap it, whatever their rank',
      ),
  }),
  judge: true,
  columns: [{ metric: 'contextPrecision', label: 'context precision' }],
  score: async (asked, models, { by }) => (by === 'model' ? judged(asked, models) : overlapping(asked)),
})

/** Nothing retrieved is 0, as in the reference. */
async function judged({ question, context }: Asked, models: Models): Promise<Score> {
  const answer = referenceText(question.reference)
  if (answer === undefined) return { skipped: 'the question has no answer that a passage could be useful for' }
  const verdicts = await allDone(
    context.map(({ text }) => models.run(judgeUsefulness, { question: question.text, answer, passage: text })),
  )
  return {
    metrics: { contextPrecision: meanPrecision(verdicts.map(({ verdict }) => verdict !== 0)) },
    parts: { verdicts },
  }
}

/** |retrieved ∩ relevant| / |retrieved| (RAGAS' IDBasedContextPrecision). */
function overlapping({ question, context, relevant = [] }: Asked): Score {
  if (question.evidence === undefined) return { skipped: 'the dataset names no evidence for this question' }
  if (relevant.length === 0) return { skipped: 'no chunk overlaps the evidence' }
  const retrieved = new Set(context.flatMap(chunksOf))
  if (retrieved.size === 0) return { skipped: 'nothing was retrieved' }
  const found = relevant.filter((id) => retrieved.has(id)).length
  return { metrics: { contextPrecision: found / retrieved.size } }
}

/** The chunks that a passage quotes; one that quotes none counts as a chunk of its own that is not relevant. */
const chunksOf = ({ kind, from }: ContextPassage, rank: number): readonly string[] =>
  kind === 'chunk' && from.length > 0 ? from : [`\0${rank}`]
