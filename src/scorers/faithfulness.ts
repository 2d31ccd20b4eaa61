import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { claimsOf, isSupported, verdictsOn } from './ragas/claims.ts'
import { faithfulness as shareSupported } from './ragas/context.ts'

/** How far an answer keeps to its context; whether it is right is another question. */
export const faithfulness = defineScorer({
  name: 'faithfulness',
  version: 2,
  summary: "Share of the answer's statements that a judge finds supported by the context.",
  source: 'RAGAS v0.4.0, metrics/_faithfulness.py',
  kinds: ['answer', 'summary', 'turn'],
  options: z.strictObject({}),
  judge: true,
  columns: [{ metric: 'faithfulness' }],
  async score({ question, context, answer }, models) {
    const text = answer.canned ? '' : answer.text
    const claims = await claimsOf({ text, question: question.text, atomicity: 'high', coverage: 'high' }, models)
    if (claims.length === 0) return { skipped: 'the answer states nothing' }
    const verdicts = await verdictsOn(claims, context.map((passage) => passage.text).join('\n'), models)
    return { metrics: { faithfulness: shareSupported(verdicts.map(isSupported)) }, parts: { claims, verdicts } }
  },
})
