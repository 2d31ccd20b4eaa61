import { exactly, sumOf, times, addExpected, taskCalls } from '../../math/expected.ts'
import { decomposeClaims, type DecomposeClaimsInput } from '../../tasks/judging/decompose-claims.ts'
import { verifyClaims } from '../../tasks/judging/verify-claims.ts'
import type { Estimate, ExpectedUsage } from '../../types.ts'

// for each token of a text, those of its claims in a list, and for each of these those of the verdicts on them (expected: measured with
// the offline provider on the sample dataset)
const claimed = { low: 0.5, expected: 1.4, high: 3 }
const judged = { low: 1.2, expected: 2, high: 4 }
/** JSON around a list. */
const frame = 6

/** Taking a text apart and checking its claims against a context: two calls, none where the text is empty; the second none for an empty context. */
export function expectedChecks(
  text: Estimate,
  context: Estimate,
  detail: Pick<DecomposeClaimsInput, 'atomicity' | 'coverage' | 'question'>,
  countTokens: (text: string) => number,
): ExpectedUsage {
  const claims = sumOf(times(text, claimed), exactly(frame))
  const some = presence(text)
  const taken = { calls: some, texts: text, reply: claims }
  const both = times(some, presence(context))
  const checked = { calls: both, texts: times(both, sumOf(claims, context)), reply: times(claims, judged) }
  return addExpected([
    taskCalls(decomposeClaims, { text: '', ...detail }, taken, countTokens),
    taskCalls(verifyClaims, { claims: [], context: '' }, checked, countTokens),
  ])
}

/** 1 where there is something, and 0 where there is nothing. */
const presence = ({ low, expected, high }: Estimate): Estimate => ({
  low: Number(low > 0),
  expected: Number(expected > 0),
  high: Number(high > 0),
})
