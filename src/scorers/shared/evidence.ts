import type { Question } from '../../types.ts'

/** Why retrieval cannot be compared with a question's evidence; undefined if it can. */
export function whyNoEvidence({
  evidence,
  notRelevant,
  notInCorpus,
}: Pick<Question, 'evidence' | 'notRelevant' | 'notInCorpus'>): string | undefined {
  if (evidence === undefined) return 'the dataset gives no evidence for this question'
  if (evidence.length === 0 && !notRelevant && !notInCorpus) return 'no evidence supports an answer'
  // a share over the remaining pieces would be misleading
  return evidence.some(({ missing }) => missing) ? 'its evidence is not in the documents' : undefined
}
