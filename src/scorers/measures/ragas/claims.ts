import { ModelError } from '../../../errors.ts'
import { decomposeClaims, type DecomposeClaimsInput } from '../../../tasks/judging/decompose-claims.ts'
import { verifyClaims, type Verdicts } from '../../../tasks/judging/verify-claims.ts'
import type { Models } from '../../../types.ts'

export type Verdict = Verdicts['statements'][number]

/** The claims of a text, as the judge takes it apart; an empty one has none, which needs no call. */
export async function claimsOf(input: DecomposeClaimsInput, models: Models): Promise<readonly string[]> {
  if (input.text.trim() === '') return []
  const { claims } = await models.run(decomposeClaims, input)
  return claims
}

/**
 * The judge's verdicts on claims against a text, as many as it gives (RAGAS counts what is returned, not what was asked).
 * An empty text supports nothing, which needs no call. Throws ModelError when the judge passes over every claim.
 */
export async function verdictsOn(
  claims: readonly string[],
  context: string,
  models: Models,
): Promise<readonly Verdict[]> {
  if (claims.length === 0) return []
  if (context.trim() === '')
    return claims.map((statement) => ({ statement, reason: 'There is nothing that could support it.', verdict: 0 }))
  const { statements } = await models.run(verifyClaims, { claims, context })
  if (statements.length === 0) throw new ModelError('reply', 'verify-claims: no verdict on any claim')
  return statements
}

/** Any verdict but 0 counts, as Python has it. */
export const isSupported = ({ verdict }: Verdict): boolean => verdict !== 0
