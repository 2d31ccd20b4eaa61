import { z } from 'zod'
import { defineScorer } from '../define.ts'
import type { Models } from '../types.ts'
import { decomposeClaims, verifyClaims } from '../tasks/claims.ts'
import { awaitAll, claimsOf, isSupported, verdictsOn, factualCorrectness as compare } from './measures/ragas/claims.ts'
import { referenceText } from './shared/accepted-answers.ts'

/** RAGAS' factual correctness, and the variant whose recall counts only the claims of the reference. */
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
    const referenceAnswer = referenceText(question.reference)
    if (referenceAnswer === undefined) return { skipped: 'the question has no reference answer' }
    const answerText = answer.canned ? '' : answer.text
    const [response, reference] = await awaitAll([
      checkClaims(answerText, referenceAnswer, models),
      checkClaims(referenceAnswer, answerText, models),
    ])
    const verdicts = { response: response.verdicts.map(isSupported), reference: reference.verdicts.map(isSupported) }
    const { value, unrounded, directionConsistent, ...counts } = compare(verdicts, 'f1')
    const { f1, precision, recall } = directionConsistent
    return {
      metrics: { factualCorrectness: value, unrounded, directionConsistentF1: f1, precision, recall },
      parts: { ...counts, response, reference },
    }
  },
})

/** The claims of a text, and verdicts on them against the other text. */
async function checkClaims(text: string, against: string, models: Models) {
  const claims = await claimsOf({ text }, models)
  return { claims, verdicts: await verdictsOn(claims, against, models) }
}
