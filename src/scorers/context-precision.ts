import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { judgeUsefulness } from '../tasks/verdicts.ts'
import type { ScorerInput, ContextPassage, Models, Score } from '../types.ts'
import { allDone, contextPrecision as meanPrecision } from './measures/ragas/claims.ts'
import { referenceText } from './shared/credited.ts'
import { whyNoEvidence } from './shared/evidence.ts'
/** How much of the context was worth retrieving, and whether that stands first. */
export const contextPrecision = defineScorer({
  name: 'context-precision',
  version: 5,
  summary: 'Mean precision at the ranks of the passages that a judge finds useful for the reference answer.',
  source: 'RAGAS v0.4.0, metrics/_context_precision.py',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  readsAnswer: false,
  options: z.strictObject({
    by: z
      .enum(['model', 'evidence'])
      .default('model')
      .describe(
        'What decides that a passage is useful: a judge, called once per passage, or the evidence, without a call; the evidence variant is the share of retrieved chunks that overlap the evidence, at any rank',
      ),
  }),
  judge: true,
  tasks: [judgeUsefulness],
  columns: [{ metric: 'contextPrecision', label: 'context precision' }],
  score: async (asked, models, { by }) => (by === 'model' ? judged(asked, models) : overlapping(asked)),
})

/** Nothing retrieved is 0, as in the reference. */
async function judged({ question, context }: ScorerInput, models: Models): Promise<Score> {
  const answer = referenceText(question.reference)
  if (answer === undefined) return { skipped: 'the question has no reference answer' }
  const verdicts = await allDone(
    context.map(({ text }) => models.run(judgeUsefulness, { question: question.text, answer, passage: text })),
  )
  return {
    metrics: { contextPrecision: meanPrecision(verdicts.map(({ verdict }) => verdict === 1)) },
    parts: { verdicts },
  }
}

/** |retrieved ∩ relevant| / |retrieved| (RAGAS' IDBasedContextPrecision). */
function overlapping({ question, context, relevant = [] }: ScorerInput): Score {
  const skipped = whyNoEvidence(question)
  if (skipped !== undefined) return { skipped }
  if (relevant.length === 0) return { skipped: 'no chunk overlaps the evidence' }
  const retrieved = new Set(context.flatMap(chunksOf))
  if (retrieved.size === 0) return { skipped: 'nothing was retrieved' }
  const found = relevant.filter((id) => retrieved.has(id)).length
  return { metrics: { contextPrecision: found / retrieved.size } }
}

/** The relevant chunks whose evidence a passage quotes; one that quotes none counts as an irrelevant chunk. */
const chunksOf = ({ relevant = [] }: ContextPassage, rank: number): readonly string[] =>
  relevant.length > 0 ? relevant : [`\0${rank}`]
