import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { exactMatch, tokenF1 } from './answers/token-f1.ts'
import { fBeta } from './f-beta.ts'

/** F1 in 0..1 of two sets of paragraphs; 1 when both are empty (metrics/support.py). */
export function supportF1(predicted: ReadonlySet<string>, gold: ReadonlySet<string>): number {
  if (predicted.size === 0 && gold.size === 0) return 1
  const shared = [...predicted].filter((id) => gold.has(id)).length
  return shared === 0 ? 0 : fBeta(shared / predicted.size, shared / gold.size)
}

/** MuSiQue's answer and support scores, as fractions; the official script prints them rounded to three places. */
export const musique = defineScorer({
  name: 'musique',
  version: 1,
  summary: 'Exact match and token F1 against the best of answer and aliases, and F1 of the documents in the context.',
  source: 'Official MuSiQue script (StonyBrookNLP/musique@922ac98f, evaluate_v1.0.py)',
  kinds: ['answer'],
  options: z.strictObject({}),
  onRequest: true,
  columns: [
    { metric: 'exactMatch', label: 'EM' },
    { metric: 'f1', label: 'F1' },
    { metric: 'supportF1', label: 'support F1' },
  ],
  async score({ question, answer, context }) {
    const { reference, evidence = [] } = question
    if (reference.kind !== 'answer') return { skipped: `musique scores answers, not a ${reference.kind}` }
    const golds = reference.accepted.filter(({ type }) => type !== 'unanswerable')
    if (golds.length === 0) return { skipped: 'only questions with an answer count' }
    const predicted = new Set(context.flatMap((passage) => passage.documents))
    const supporting = new Set(evidence.map((piece) => piece.documentId))
    return {
      metrics: {
        exactMatch: Math.max(...golds.map(({ text }) => exactMatch(answer.text, text))),
        f1: Math.max(...golds.map(({ text }) => tokenF1(answer.text, text, 1))),
        ...(supporting.size > 0 && { supportF1: supportF1(predicted, supporting) }),
      },
    }
  },
})
