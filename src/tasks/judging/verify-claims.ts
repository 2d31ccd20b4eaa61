import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'
import { reasonShape, verdictShape } from './verdict.ts'

/** Claims and the text that they are checked against. */
export interface VerifyClaimsInput {
  readonly claims: readonly string[]
  readonly context: string
}

/** One verdict per claim; any verdict but 0 counts as supported. */
export interface Verdicts {
  readonly statements: readonly { readonly statement: string; readonly reason: string; readonly verdict: number }[]
}

/** Checks claims against a text (RAGAS factual correctness): 1 only for what can be inferred directly. */
export const verifyClaims = sampledTask<VerifyClaimsInput, Verdicts>({
  name: 'verify-claims',
  version: 1,
  sample: {
    claims: ['The lighthouse was built in 1828.', 'The lighthouse was built by the French.'],
    context: 'Robert Stevenson planned the lighthouse on Cape Wrath. The lighthouse was built in 1828.',
  },
  reply: 'json',
  whole: true,
  output: z.object({
    statements: z.array(z.object({ statement: z.string(), reason: reasonShape, verdict: verdictShape })),
  }),
  prompt: ({ claims, context }) =>
    twoMessages(
      [
        `You check claims against a context. The verdict of a claim is 1 if it can be inferred directly from the context, and 0 if it cannot. Judge by the context alone, not by what you know. Give one verdict for each claim, in the given order.
Reply with JSON of this shape and nothing else. For example, for the claim "The mill is in Kent." and the context "Arden Mill ground corn for Maidstone in Kent.":
{"statements": [{"statement": "The mill is in Kent.", "reason": "The context places the mill in Kent.", "verdict": 1}]}`,
        `Context:\n${context}`,
      ],
      `Claims:\n${JSON.stringify(claims, null, 2)}`,
      { maxTokens: 4096 },
    ),
})
