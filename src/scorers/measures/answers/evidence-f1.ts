import { fBeta } from '../f-beta.ts'

/**
 * F1 in 0..1 of two lists of paragraphs, as in Qasper's evaluator.py (paragraph_f1_score): what is shared is counted once, but
 * divided by the lengths of the lists, so a duplicate lowers it. 1 when both are empty.
 */
export function evidenceF1(predicted: readonly string[], gold: readonly string[]): number {
  if (predicted.length === 0 && gold.length === 0) return 1
  const wanted = new Set(gold)
  const shared = [...new Set(predicted)].filter((paragraph) => wanted.has(paragraph)).length
  return shared === 0 ? 0 : fBeta(shared / predicted.length, shared / gold.length)
}
