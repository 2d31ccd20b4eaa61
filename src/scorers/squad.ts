import { z } from 'zod'
import { defineScorer } from '../define.ts'
import type { AcceptedAnswer } from '../types.ts'
import { normaliseAnswer } from './answers/normalise.ts'
import { exactMatch, tokenF1 } from './answers/token-f1.ts'

const versions = [1.1, 2] as const
type SquadVersion = (typeof versions)[number]

/** Exact match and token F1 in 0..1 against the best of several answers; the official scripts print percentages. Throws RangeError without an answer in 1.1. */
export function squadScore(prediction: string, golds: readonly string[], version: SquadVersion) {
  const wanted = version === 2 ? answerable(golds) : golds
  if (wanted.length === 0) throw new RangeError('SQuAD 1.1 needs at least one accepted answer')
  return {
    exactMatch: Math.max(...wanted.map((gold) => exactMatch(prediction, gold))),
    f1: Math.max(...wanted.map((gold) => tokenF1(prediction, gold, version === 2 ? 1 : 0))),
  }
}

/** SQuAD 2.0 drops golds that normalise to nothing; a question left without one is right only when unanswered. */
function answerable(golds: readonly string[]): readonly string[] {
  const left = golds.filter((gold) => normaliseAnswer(gold) !== '')
  return left.length > 0 ? left : ['']
}

/** Exact match and token F1 of short answers, as SQuAD's official scripts compute them; fractions, not percentages. */
export const squad = defineScorer({
  name: 'squad',
  version: 1,
  summary: 'Exact match and token F1 against the best accepted answer, as fractions.',
  source: 'Official SQuAD 1.1 and 2.0 scripts (huggingface/evaluate@a7dd3383, metrics/squad and metrics/squad_v2)',
  kinds: ['answer'],
  options: z.strictObject({
    version: z
      .literal(versions)
      .default(1.1)
      .describe(
        '1.1, or 2.0: an unanswerable question is right only when it is left unanswered; the reply "Unanswerable" counts as that (our reading)',
      ),
  }),
  columns: [
    { metric: 'exactMatch', label: 'EM' },
    { metric: 'f1', label: 'F1' },
  ],
  async score({ question, answer }, _models, { version }) {
    const { reference } = question
    if (reference.kind !== 'answer') return { skipped: `squad scores answers, not a ${reference.kind}` }
    if (version === 2) {
      const golds = reference.accepted.filter(isAnswer).map((accepted) => accepted.text)
      const subsets = [golds.length > 0 ? 'answerable' : 'unanswerable']
      return { metrics: squadScore(unanswered(answer.text) ? '' : answer.text, golds, version), subsets }
    }
    if (reference.accepted.length === 0) return { skipped: 'no accepted answer' }
    const golds = reference.accepted.map((accepted) => accepted.text)
    return { metrics: squadScore(answer.text, golds, version) }
  },
})

const isAnswer = (accepted: AcceptedAnswer): boolean => accepted.type !== 'unanswerable'

const unanswered = (text: string): boolean => normaliseAnswer(text) === 'unanswerable'
