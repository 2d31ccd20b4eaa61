import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { decomposeClaims, verifyClaims } from '../tasks/claims.ts'
import { claimsOf, isSupported, verdictsOn, shareOf } from './measures/ragas/claims.ts'

/** Share of the answer's statements that the context supports, right or wrong. */
export const faithfulness = defineScorer({
  name: 'faithfulness',
  version: 4,
  summary: "Share of the answer's statements that a judge finds supported by the context.",
  source: 'RAGAS v0.4.0, metrics/_faithfulness.py',
  kinds: ['answer', 'summary', 'turn'],
  options: z.strictObject({}),
  judge: true,
  tasks: [decomposeClaims, verifyClaims],
  columns: [{ metric: 'faithfulness' }],
  async score({ question, context, answer }, models) {
    const text = answer.canned ? '' : answer.text
    const claims = await claimsOf({ text, question: question.text }, models)
    if (claims.length === 0) return { skipped: 'the answer contains no statements' }
    const verdicts = await verdictsOn(claims, context.map((passage) => passage.text).join('\n'), models)
    return { metrics: { faithfulness: shareOf(verdicts.map(isSupported)) }, parts: { claims, verdicts } }
  },
})
