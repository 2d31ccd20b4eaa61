import { z } from 'zod'
import { defineScorer } from '../define.ts'
import type { Models } from '../types.ts'
import { decomposeClaims, verifyClaims } from '../tasks/claims.ts'
import {
  allDone,
  claimsOf,
  isSupported,
  type Verdict,
  verdictsOn,
  factualCorrectness as compare,
  type FactualMode,
} from './measures/ragas/claims.ts'
import { referenceText } from './shared/credited.ts'

/** RAGAS' factual correctness, and beside it the value whose recall counts the claims of the reference alone. */
export const factualCorrectness = defineScorer({
  name: 'factual-correctness',
  version: 4,
  summary:
    "F1 of the claims of the answer and of the reference answer; a judge checks the claims of each against the other (UnWeaver's Table 1).",
  source: 'RAGAS v0.4.0, metrics/_factual_correctness.py; its recall combines counts of both directions (issue 1964)',
  kinds: ['answer', 'summary', 'turn'],
  options: z.strictObject({}),
  judge: true,
  tasks: [decomposeClaims, verifyClaims],
  rates: 'factualCorrectness',
  columns: [
    { metric: 'factualCorrectness', label: 'factual correctness' },
    { metric: 'directionConsistentF1', label: 'direction-consistent' },
    ...['unrounded', 'precision', 'recall'].map((metric) => ({ metric, shown: false as const })),
  ],
  async score({ question, answer }, models) {
    const expected = referenceText(question.reference)
    if (expected === undefined) return { skipped: 'the question has no reference answer' }
    const said = answer.canned ? '' : answer.text
    const [response, reference] = await allDone([check(said, expected, models), check(expected, said, models)])
    const verdicts = { response: response.verdicts.map(isSupported), reference: reference.verdicts.map(isSupported) }
    const { value, unrounded, directionConsistent, ...counts } = compare(verdicts, 'f1')
    const consistent = (one: FactualMode) => compare(verdicts, one).directionConsistent
    return {
      metrics: {
        factualCorrectness: value,
        unrounded,
        directionConsistentF1: directionConsistent,
        precision: consistent('precision'),
        recall: consistent('recall'),
      },
      parts: { ...counts, response, reference },
    }
  },
})

/** A text's claims, and the verdicts on them against the other text. */
interface Checked {
  readonly claims: readonly string[]
  readonly verdicts: readonly Verdict[]
}

async function check(text: string, against: string, models: Models): Promise<Checked> {
  const claims = await claimsOf({ text }, models)
  return { claims, verdicts: await verdictsOn(claims, against, models) }
}
