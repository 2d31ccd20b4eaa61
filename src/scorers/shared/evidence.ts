import type { Question } from '../../types.ts'

/** Why what was retrieved for a question cannot be compared with its evidence; undefined where it can. */
export function whyNoEvidence({
  evidence,
  notRelevant,
  notInCorpus,
}: Pick<Question, 'evidence' | 'notRelevant' | 'notInCorpus'>): string | undefined {
  if (evidence === undefined) return 'the dataset gives no evidence for this question'
  if (evidence.length === 0 && !notRelevant && !notInCorpus) return 'no evidence supports an answer'
  // a share of the rest would be none of all that supports the answer
  return evidence.some(({ missing }) => missing) ? 'its evidence is not in the documents' : undefined
}
